package act

import (
	"bytes"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"qprism/cmd/cadence"
)

// listen answers on the health endpoint.
func (s *server) listen(e cadence.Endpoint) (io.Closer, error) {
	if e.Address == "" {
		return io.NopCloser(nil), nil
	}
	l, scheme, err := listenAt(e)
	if err != nil {
		return nil, fmt.Errorf("health endpoint: %w", err)
	}
	handler, err := withToken(e.TokenFile, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d := s.daemon.Load(); d != nil {
			d.Health().ServeHTTP(w, r)
			return
		}
		http.Error(w, "not started yet", http.StatusServiceUnavailable)
	}))
	if err != nil {
		l.Close()
		return nil, fmt.Errorf("health endpoint: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /health", handler)
	h := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second, WriteTimeout: 10 * time.Second,
		IdleTimeout: time.Minute, MaxHeaderBytes: 1 << 14}
	s.log.Info("health", "url", fmt.Sprintf("%s://%s/health", scheme, l.Addr()))
	go func() { _ = h.Serve(l) }() // ends with Close
	return h, nil
}

// listenAt listens, with TLS where clients are to show certificates.
func listenAt(e cadence.Endpoint) (l net.Listener, scheme string, err error) {
	var config *tls.Config
	if e.Clients != "" {
		if config, err = tlsOf(e); err != nil {
			return nil, "", err
		}
	}
	if l, err = net.Listen("tcp", e.Address); err != nil || config == nil {
		return l, "http", err
	}
	return tls.NewListener(l, config), "https", nil
}

// tlsOf lets only clients in whose certificates the authorities signed.
func tlsOf(e cadence.Endpoint) (*tls.Config, error) {
	own, err := tls.LoadX509KeyPair(e.Certificate, e.Key)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(e.Clients)
	if err != nil {
		return nil, err
	}
	clients := x509.NewCertPool()
	if !clients.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s: no certificate in it", e.Clients)
	}
	return &tls.Config{Certificates: []tls.Certificate{own}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: clients,
		MinVersion: tls.VersionTLS12}, nil
}

// leastToken is how many bytes a token has at least: fewer can be guessed.
const leastToken = 16

// withToken lets only those in who know the token of a file.
func withToken(file string, next http.Handler) (http.Handler, error) {
	if file == "" {
		return next, nil
	}
	token, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if token = bytes.TrimSpace(token); len(token) < leastToken {
		return nil, fmt.Errorf("%s: the token has %d bytes; give it at least %d", file, len(token), leastToken)
	}
	want := append([]byte("Bearer "), token...)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), want) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "this needs the token of token_file", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	}), nil
}
