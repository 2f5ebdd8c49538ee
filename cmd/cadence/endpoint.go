package cadence

import (
	"fmt"
	"maps"
	"net"
	"net/netip"
	"slices"

	"go.yaml.in/yaml/v3"
)

// An Endpoint is an address to listen on, and who may use it. Users on other machines need a token or a client
// certificate, because the answers name clusters and errors.
type Endpoint struct {
	Address   string // host:port; "" for no endpoint
	TokenFile string // has the token for "Authorization: Bearer"; "" for none

	// TLS: certificate and key of the endpoint, and the authorities that sign the certificates of its clients.
	Certificate, Key, Clients string

	// For the page: who the users are, what they see, and what they may change.
	UsersFile   string   // in the form of htpasswd -B; "" for none
	HTTPSHeader string   // the header in which a proxy says "https" if browsers use TLS; "" for none
	UserHeader  string   // the header in which a proxy with the token or a certificate names the user; "" for none
	Own         bool     // users see only the places of others' jobs
	SeeAll      []string // users who see everything; Actors do, too
	Actors      []string // users who may change the clusters that allow it
	AllAct      bool     // every admitted user may change the clusters that allow it
	Opens       string   // the view that opens first, one of FirstViews
}

// FirstViews are the views that the page may show first. With auto, the user decides which one; see First.
var FirstViews = []string{"auto", "cluster", "mine", "why"}

// First returns the view that the page shows first to a user. With auto, most users see their own jobs. Users
// without a known name see the cluster. So do users who may change a cluster or see the jobs of others.
func (e *Endpoint) First(name string) string {
	switch {
	case e.Opens != "" && e.Opens != "auto":
		return e.Opens
	case name == "" || e.MayAct(name) || slices.Contains(e.SeeAll, name):
		return "cluster"
	}
	return "mine"
}

// Open reports whether everyone who reaches the endpoint may use it.
func (e *Endpoint) Open() bool { return e.TokenFile == "" && e.Clients == "" && e.UsersFile == "" }

// Named reports whether the user's name is known.
func (e *Endpoint) Named() bool { return e.UsersFile != "" || e.UserHeader != "" || e.Clients != "" }

// Acts reports whether any user may change a cluster.
func (e *Endpoint) Acts() bool { return e.AllAct || len(e.Actors) > 0 }

// MayAct reports whether an admitted user may change clusters that allow it.
func (e *Endpoint) MayAct(name string) bool {
	return e.AllAct || name != "" && slices.Contains(e.Actors, name)
}

// SeesAll reports whether an admitted user sees the jobs of others.
func (e *Endpoint) SeesAll(name string) bool {
	return !e.Own || name != "" && (slices.Contains(e.SeeAll, name) || slices.Contains(e.Actors, name))
}

// endpoint reads an address, none, or a mapping with the keys of all endpoints and some more.
func (c *configReader) endpoint(n *yaml.Node, name string, to *Endpoint, more fields) {
	address := parsed(&c.reader, name, &to.Address, parseAddress)
	if n = plain(n); n.Kind != yaml.MappingNode {
		address(n)
		return
	}
	known := fields{
		"listen": address, "token_file": c.path("token_file", &to.TokenFile),
		"certificate": c.path("certificate", &to.Certificate), "key": c.path("key", &to.Key),
		"clients": c.path("clients", &to.Clients),
	}
	maps.Copy(known, more)
	c.mapping(n, name, known)
}

// page reads where the page listens. It shows more than health, so other machines also need TLS.
func (c *configReader) page(n *yaml.Node, to *Endpoint) {
	privacy := "all"
	c.endpoint(n, "listen", to, fields{"users_file": c.path("users_file", &to.UsersFile),
		"user_header":  c.text("user_header", &to.UserHeader),
		"https_header": c.text("https_header", &to.HTTPSHeader),
		"privacy":      c.choice("privacy", &privacy, "own", "all"), "see_all": c.names("see_all", &to.SeeAll),
		"acts":  c.actors(to),
		"opens": c.choice("opens", &to.Opens, FirstViews...)})
	to.Own = privacy == "own"
	if (to.Certificate == "") != (to.Key == "") || to.Clients != "" && to.Certificate == "" {
		c.wrong(n.Line, "listen: TLS needs certificate and key, and clients if clients must show a certificate")
	} else if err := to.Guarded(); err != nil && to.Address != "" && !c.complained(n) {
		c.wrong(n.Line, "listen: %v", err)
	}
	proxied := to.TokenFile != "" || to.Clients != ""
	for _, rule := range []struct {
		broken bool
		says   string
	}{
		{to.UserHeader != "" && (!proxied || to.UsersFile != ""),
			"user_header is trusted only from a proxy: set token_file or clients, and no users_file"},
		{to.HTTPSHeader != "" && !proxied, "https_header is trusted only from a proxy: set token_file or clients"},
		{to.Own && !to.Named(), "privacy: own needs to know the user: set users_file, user_header or clients"},
		{len(to.SeeAll) > 0 && !to.Own, "see_all works only with privacy: own"},
		{to.AllAct && to.Own, "acts: true cannot be used with privacy: own: name the users who may act"},
		{len(to.Actors) > 0 && !to.Named(), "acts with names needs to know the user: set users_file, user_header or clients"},
		{to.Acts() && to.Open(), "acts needs a login, also on this machine: set token_file, users_file or clients"},
	} {
		if rule.broken {
			c.wrong(n.Line, "listen: %s", rule.says)
		}
	}
}

// actors reads who may change something: true for every admitted user, false for nobody, or names.
func (c *configReader) actors(to *Endpoint) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if v := plain(n); v.Kind == yaml.ScalarNode && v.Tag == "!!bool" {
			c.yes("acts", &to.AllAct)(n)
			return
		}
		c.names("acts", &to.Actors)(n)
	}
}

// names reads a name, or a list of names.
func (c *configReader) names(what string, to *[]string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		for _, item := range items(n) {
			if text, ok := c.scalar(item, what); ok && text != "" {
				*to = append(*to, text)
			}
		}
	}
}

func (c *configReader) health(n *yaml.Node, to *Endpoint) {
	c.endpoint(n, "health", to, nil)
	if some := to.Certificate + to.Key + to.Clients; some != "" &&
		(to.Certificate == "" || to.Key == "" || to.Clients == "") {
		c.wrong(n.Line, "health: TLS needs three files: certificate, key and clients (the authorities "+
			"that sign client certificates)")
	}
	if to.Address != "" && !loopback(to.Address) && to.Open() && !c.complained(n) {
		c.wrong(n.Line, "health: other machines can reach %s without a login: set {listen: %s, "+
			"token_file: FILE}, or certificate, key and clients, or listen on %s",
			to.Address, to.Address, defaultHealth)
	}
}

// Local reports whether only this machine can reach the endpoint.
func (e *Endpoint) Local() bool { return loopback(e.Address) }

// Guarded returns an error if other machines can reach the endpoint without TLS, or without token or
// certificate.
func (e *Endpoint) Guarded() error {
	if !e.Local() && (e.Certificate == "" || e.Open()) {
		return fmt.Errorf("other machines can reach %s: set certificate and key, and token_file or users_file", e.Address)
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
