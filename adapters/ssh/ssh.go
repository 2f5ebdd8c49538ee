package ssh

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/user"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// Options of a connection.
type Options struct {
	Home   string   // the folder with .ssh, also for "~"; the user's own if empty
	Config []string // files in the form of ssh_config(5); Home/.ssh/config and /etc/ssh/ssh_config if nil
	User   string   // the login name if nothing else sets one; if empty, the current user

	// Lookup lists the addresses of a host; nil for Go's resolver.
	Lookup func(ctx context.Context, host string) ([]string, error)
}

// A Client is a connection to a host. Its methods may be called concurrently.
type Client struct {
	host *host
	conn *ssh.Client
	hops []*ssh.Client // connections to the hosts on the way, from here to the host
	dead chan struct{} // closed when the connection has ended

	mu  sync.Mutex
	why error // why the client closed the connection
}

// Dial connects to [user@]host[:port], through the hosts of ProxyJump. The context limits only the time to
// connect.
func Dial(ctx context.Context, target string, o Options) (*Client, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	c, err := readConfig(o.Home, o.Config)
	if err != nil {
		return nil, fmt.Errorf("read the ssh configuration: %w", err)
	}
	route, err := c.route(target, o.User, 0)
	if err != nil {
		return nil, err
	}
	client := &Client{host: route[len(route)-1], dead: make(chan struct{})}
	if err := client.connect(ctx, route, o.Lookup); err != nil {
		return nil, errors.Join(fmt.Errorf("%w%s", err, noted(c.notes)), client.Close())
	}
	go client.watch()
	return client, nil
}

// complete sets empty options to their defaults.
func (o *Options) complete() error {
	if o.Home == "" || o.User == "" {
		me, err := user.Current()
		if err != nil {
			return fmt.Errorf("find out who runs this: %w", err)
		}
		o.Home, o.User = cmp.Or(o.Home, me.HomeDir), cmp.Or(o.User, me.Username)
	}
	if o.Config == nil {
		o.Config = []string{filepath.Join(o.Home, ".ssh", "config"), "/etc/ssh/ssh_config"}
	}
	if o.Lookup == nil {
		o.Lookup = net.DefaultResolver.LookupHost
	}
	return nil
}

func noted(notes []string) string {
	if len(notes) == 0 {
		return ""
	}
	return "\nnote: " + strings.Join(notes, "\nnote: ")
}

// mostJumps is the most hosts of ProxyJump on a connection.
const mostJumps = 8

// route lists the hosts on the way to a target; the target is the last one. The configuration says how to reach
// the first host.
func (c *config) route(target, me string, depth int) ([]*host, error) {
	h, err := c.host(target, me)
	if err != nil || len(h.jumps) == 0 {
		return []*host{h}, err
	}
	if depth+len(h.jumps) > mostJumps {
		return nil, fmt.Errorf("host %s is reached over more than %d others, or over itself", h.alias, mostJumps)
	}
	route, err := c.route(h.jumps[0], me, depth+1)
	if err != nil {
		return nil, err
	}
	for _, jump := range h.jumps[1:] {
		next, err := c.host(jump, me)
		if err != nil {
			return nil, err
		}
		route = append(route, next)
	}
	return append(route, h), nil
}

// connect makes the connections of a route, each through the previous one.
func (c *Client) connect(ctx context.Context, route []*host, look lookup) error {
	for _, h := range route {
		limited, cancel := context.WithTimeoutCause(ctx, h.timeout, fmt.Errorf("no connection within %v", h.timeout))
		conn, err := handshake(limited, c.conn, h, look)
		cancel()
		if err != nil {
			return fmt.Errorf("connect to %v: %w", h, err)
		}
		if c.conn != nil {
			c.hops = append(c.hops, c.conn)
		}
		c.conn = conn
	}
	return nil
}

// handshake connects to one host. If through is not nil, it connects through this other host.
func handshake(ctx context.Context, through *ssh.Client, h *host, look lookup) (*ssh.Client, error) {
	allowed, err := h.allowed()
	if err != nil {
		return nil, err
	}
	known, err := knownKeys(h)
	if err != nil {
		return nil, err
	}
	wire, err := dial(ctx, through, h.address(), look)
	if err != nil {
		return nil, errors.Join(err, context.Cause(ctx))
	}
	ids := identitiesOf(h, allowed.identities)
	defer ids.close()
	stop := context.AfterFunc(ctx, func() { _ = wire.Close() })
	conn, channels, requests, err := ssh.NewClientConn(wire, h.address(), &ssh.ClientConfig{
		Config:            ssh.Config{KeyExchanges: allowed.kex, Ciphers: allowed.ciphers, MACs: allowed.macs},
		User:              h.user,
		Auth:              []ssh.AuthMethod{ssh.PublicKeys(ids.signers...)},
		HostKeyCallback:   known.verify,
		HostKeyAlgorithms: known.prefer(allowed.hostKeys),
		ClientVersion:     "SSH-2.0-qprism",
	})
	if !stop() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		_ = wire.Close()
		return nil, h.explain(ctx, err, ids)
	}
	return ssh.NewClient(conn, channels, requests), nil
}

// A lookup lists the addresses of a host.
type lookup func(ctx context.Context, host string) ([]string, error)

// dial connects through a host, which finds the next host by its own names. Without such a host, it connects to
// the first address that answers.
func dial(ctx context.Context, through *ssh.Client, address string, look lookup) (net.Conn, error) {
	if through != nil {
		return through.DialContext(ctx, "tcp", address)
	}
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	var unknown *net.DNSError
	if err == nil || !errors.As(err, &unknown) {
		return conn, err
	}
	host, port, bad := net.SplitHostPort(address)
	if bad != nil {
		return nil, err
	}
	found, other := look(ctx, host)
	if other != nil {
		return nil, err
	}
	for _, ip := range found {
		if conn, err = new(net.Dialer).DialContext(ctx, "tcp", net.JoinHostPort(ip, port)); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// explain adds advice to an error of a handshake.
func (h *host) explain(ctx context.Context, err error, ids *identities) error {
	var (
		key        *HostKeyError
		algorithms *ssh.AlgorithmNegotiationError
	)
	switch {
	case context.Cause(ctx) != nil:
		return context.Cause(ctx)
	case errors.As(err, &key):
		return key
	case errors.As(err, &algorithms):
		return fmt.Errorf("%w%s", err, h.remedy(algorithms))
	case strings.Contains(err.Error(), "unable to authenticate"):
		return &LoginError{User: h.user, Offered: offered(ids.signers), Notes: noted(ids.notes)}
	}
	return err
}

// A LoginError says that the host refused all offered keys.
type LoginError struct {
	User    string
	Offered string // the offered keys, for people
	Notes   string // parts of the configuration that qprism did not read
}

func (e *LoginError) Error() string {
	return fmt.Sprintf("%s was refused with %s%s", e.User, e.Offered, e.Notes)
}

// offered lists keys, for people.
func offered(signers []ssh.Signer) string {
	if len(signers) == 0 {
		return "no key to offer: name one with IdentityFile in ~/.ssh/config, or start an agent"
	}
	var list []string
	for _, s := range signers {
		list = append(list, s.PublicKey().Type()+" "+ssh.FingerprintSHA256(s.PublicKey()))
	}
	return "the keys " + strings.Join(list, ", ")
}

// watch checks from time to time whether the host still answers. If not, it gives the connection up.
func (c *Client) watch() {
	ended := make(chan struct{})
	go func() {
		_ = c.conn.Wait()
		close(ended)
	}()
	defer close(c.dead)
	for missed := 0; missed < c.host.aliveMost; {
		answer := make(chan error, 1)
		select {
		case <-ended:
			return
		case <-time.After(c.host.alive):
		}
		go func() {
			_, _, err := c.conn.SendRequest("keepalive@openssh.com", true, nil)
			answer <- err
		}()
		select {
		case <-ended:
			return
		case <-answer:
			missed = 0
		case <-time.After(c.host.alive):
			missed++
		}
	}
	c.giveUp(fmt.Errorf("%v does not answer any more", c.host))
	<-ended
}

// giveUp closes the connection for a reason.
func (c *Client) giveUp(why error) {
	c.mu.Lock()
	if c.why == nil {
		c.why = why
	}
	c.mu.Unlock()
	_ = c.Close()
}

// reason returns why the client gave the connection up. Otherwise it returns err.
func (c *Client) reason(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.why != nil {
		return c.why
	}
	return err
}

// Close ends the connection and all commands that still run over it.
func (c *Client) Close() error {
	var errs []error
	for i := len(c.hops); i >= 0; i-- {
		conn := c.conn
		if i < len(c.hops) {
			conn = c.hops[i]
		}
		if conn == nil {
			continue
		}
		if err := conn.Close(); err != nil && !errors.Is(err, net.ErrClosed) && !errors.Is(err, io.EOF) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// String names the host in messages: user@host:port.
func (c *Client) String() string { return c.host.String() }
