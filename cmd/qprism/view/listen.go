package view

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"qprism/cmd/cadence"
)

// Listen opens the port. It uses TLS if there is a certificate.
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

// tlsOf accepts only clients whose certificates the authorities have signed, if authorities are configured.
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
		return nil, fmt.Errorf("%s: it contains no certificate", e.Clients)
	}
	return config, nil
}

// Server is an HTTP server with limits on requests and slow clients. Answers may take long.
func Server(h http.Handler, answer time.Duration) *http.Server {
	return &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second, WriteTimeout: answer,
		IdleTimeout: time.Minute, MaxHeaderBytes: 1 << 14}
}
