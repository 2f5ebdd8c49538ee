package view

import (
	"bytes"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"qprism/cmd/cadence"
)

// Listen listens, with TLS where there is a certificate.
func Listen(e cadence.Endpoint) (l net.Listener, scheme string, err error) {
	var config *tls.Config
	if e.Certificate != "" {
		if config, err = tlsOf(e); err != nil {
			return nil, "", err
		}
	}
	if l, err = net.Listen("tcp", e.Address); err != nil || config == nil {
		return l, "http", err
	}
	return tls.NewListener(l, config), "https", nil
}

// tlsOf lets only clients in whose certificates the authorities signed, where these are named.
func tlsOf(e cadence.Endpoint) (*tls.Config, error) {
	own, err := tls.LoadX509KeyPair(e.Certificate, e.Key)
	if err != nil {
		return nil, err
	}
	config := &tls.Config{Certificates: []tls.Certificate{own}, MinVersion: tls.VersionTLS12}
	if e.Clients == "" {
		return config, nil
	}
	text, err := os.ReadFile(e.Clients)
	if err != nil {
		return nil, err
	}
	config.ClientCAs, config.ClientAuth = x509.NewCertPool(), tls.RequireAndVerifyClientCert
	if !config.ClientCAs.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s: no certificate in it", e.Clients)
	}
	return config, nil
}

// leastToken is how many bytes a token has at least: fewer can be guessed.
const leastToken = 16

// WithToken lets only those in who know the token of a file: programs as "Authorization: Bearer", browsers as a password, whatever the
// user is called.
func WithToken(file string, next http.Handler) (http.Handler, error) {
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
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(given(r)), token) != 1 {
			w.Header().Add("WWW-Authenticate", "Bearer")
			w.Header().Add("WWW-Authenticate", `Basic realm="qprism", charset="UTF-8"`)
			http.Error(w, "this needs the token of token_file", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	}), nil
}

// given is the token that a request names; empty for none.
func given(r *http.Request) string {
	if token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); bearer {
		return token
	}
	_, password, _ := r.BasicAuth()
	return password
}

// Server is one with bounds on what a client may send, and how slowly; answers may take long to be computed.
func Server(h http.Handler, answer time.Duration) *http.Server {
	return &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second, WriteTimeout: answer,
		IdleTimeout: time.Minute, MaxHeaderBytes: 1 << 14}
}
