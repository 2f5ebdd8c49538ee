package cadence

import (
	"fmt"
	"net"
	"net/netip"

	"go.yaml.in/yaml/v3"
)

// An Endpoint says where the health endpoint listens, and who may ask it. Beyond this machine it needs a token or client certificates: it
// names clusters and errors.
type Endpoint struct {
	Address   string // host:port; "" for no endpoint
	TokenFile string // holds what "Authorization: Bearer" must name; "" for nothing

	// TLS, all or none: the certificate and the key of the endpoint, and the authorities of its clients' certificates.
	Certificate, Key, Clients string
}

// Open reports whether everybody who reaches the endpoint may ask.
func (e *Endpoint) Open() bool { return e.TokenFile == "" && e.Clients == "" }

// endpoint reads an address, none, or a mapping.
func (c *configReader) endpoint(n *yaml.Node, name string, to *Endpoint) {
	address := parsed(&c.reader, name, &to.Address, parseAddress)
	if n = plain(n); n.Kind != yaml.MappingNode {
		address(n)
		return
	}
	c.mapping(n, name, fields{
		"listen": address, "token_file": c.path("token_file", &to.TokenFile),
		"certificate": c.path("certificate", &to.Certificate), "key": c.path("key", &to.Key), "clients": c.path("clients", &to.Clients),
	})
}

// page reads where the page listens. It shows more than health does: beyond this machine it needs TLS, besides a token or client
// certificates.
func (c *configReader) page(n *yaml.Node, to *Endpoint) {
	c.endpoint(n, "listen", to)
	if (to.Certificate == "") != (to.Key == "") || to.Clients != "" && to.Certificate == "" {
		c.wrong(n.Line, "listen: TLS takes certificate and key, and clients where these are to have certificates")
	} else if err := to.Guarded(); err != nil && to.Address != "" && !c.complained(n) {
		c.wrong(n.Line, "listen: %v", err)
	}
}

// health reads where the health endpoint listens.
func (c *configReader) health(n *yaml.Node, to *Endpoint) {
	c.endpoint(n, "health", to)
	if some := to.Certificate + to.Key + to.Clients; some != "" && (to.Certificate == "" || to.Key == "" || to.Clients == "") {
		c.wrong(n.Line, "health: TLS takes certificate, key and clients (the authorities of the clients' certificates), all three")
	}
	if to.Address != "" && !loopback(to.Address) && to.Open() && !c.complained(n) {
		c.wrong(n.Line, "health: %s is reached from other machines, and everybody could ask: give {listen: %s, token_file: FILE}, or certificate, key and clients, or listen on %s",
			to.Address, to.Address, defaultHealth)
	}
}

// Local reports whether only this machine reaches the endpoint.
func (e *Endpoint) Local() bool { return loopback(e.Address) }

// Guarded is an error where other machines reach the endpoint without TLS, or without a token or certificates of their own.
func (e *Endpoint) Guarded() error {
	if !e.Local() && (e.Certificate == "" || e.Open()) {
		return fmt.Errorf("%s is reached from other machines: that takes a certificate with its key, and a token_file", e.Address)
	}
	return nil
}

// loopback reports whether only this machine reaches an address.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	ip, bad := netip.ParseAddr(host)
	return err == nil && (host == "localhost" || bad == nil && ip.Unmap().IsLoopback())
}

// parseAddress reads where the health endpoint listens.
func parseAddress(text string) (string, error) {
	if text == "none" {
		return "", nil
	}
	if _, _, err := net.SplitHostPort(text); err != nil {
		return "", fmt.Errorf("want host:port, such as %s, or none; not %q", defaultHealth, text)
	}
	return text, nil
}
