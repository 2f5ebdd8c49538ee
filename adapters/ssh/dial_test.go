package ssh

import (
	"context"
	"errors"
	"net"
	"testing"
)

func TestAHostThatOnlyTheLookupKnowsIsReached(t *testing.T) {
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	address := net.JoinHostPort("master-of-nis.invalid", port)
	known := func(_ context.Context, host string) ([]string, error) {
		if host != "master-of-nis.invalid" {
			return nil, errors.New("another host")
		}
		return []string{"127.0.0.1"}, nil
	}
	conn, err := dial(t.Context(), nil, address, known)
	if err != nil {
		t.Fatalf("not reached: %v", err)
	}
	conn.Close()
	unknown := func(context.Context, string) ([]string, error) { return nil, errors.New("no such host") }
	var want *net.DNSError
	if _, err := dial(t.Context(), nil, address, unknown); !errors.As(err, &want) {
		t.Errorf("the error is %v, want that of the look-up", err)
	}
}
