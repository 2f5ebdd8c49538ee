package ssh

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// identities has the keys to offer to a host, and notes on other keys.
type identities struct {
	signers []ssh.Signer
	notes   []string
	agent   []ssh.Signer
	close   func() error
}

// identitiesOf collects the keys for a host. First come the keys that the configuration names, with
// certificates before other keys. Without IdentitiesOnly, the agent's other keys follow. close ends the
// connection to the agent.
func identitiesOf(h *host, accepted []string) *identities {
	ids := &identities{close: func() error { return nil }}
	ids.askAgent(h.agent)
	var named []ssh.Signer
	for _, file := range h.identities {
		if s := ids.fromFile(file); s != nil && !holds(named, s) {
			named = append(named, s)
		}
	}
	list := named
	if !h.onlyThese {
		for _, s := range ids.agent {
			if !holds(list, s) {
				list = append(list, s)
			}
		}
	}
	certified := ids.certified(h, list)
	for _, s := range append(certified, list...) {
		if s = restrict(s, accepted); s != nil {
			ids.signers = append(ids.signers, s)
		}
	}
	return ids
}

func (ids *identities) note(format string, args ...any) {
	ids.notes = append(ids.notes, fmt.Sprintf(format, args...))
}

// askAgent lists the keys of an agent.
func (ids *identities) askAgent(socket string) {
	if socket == "" || socket == "none" {
		return
	}
	conn, err := net.Dial("unix", socket)
	if err != nil {
		ids.note("the agent does not answer: %v", err)
		return
	}
	ids.close = conn.Close
	if ids.agent, err = agent.NewClient(conn).Signers(); err != nil {
		ids.note("the agent does not list its keys: %v", err)
	}
}

// fromFile returns the key of a file. If the file is encrypted or has only the public key, it returns the
// agent's key.
func (ids *identities) fromFile(file string) ssh.Signer {
	text, err := readPrivate(file)
	var encrypted *ssh.PassphraseMissingError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ids.fromAgent(file, nil)
	case err != nil:
		ids.note("%v", err)
		return nil
	}
	signer, err := ssh.ParsePrivateKey(text)
	switch {
	case err == nil:
		if s := ids.agents(signer.PublicKey()); s != nil {
			return s
		}
		return signer
	case errors.As(err, &encrypted):
		s := ids.fromAgent(file, encrypted.PublicKey)
		if s == nil {
			ids.note("%s: has a passphrase; give it to an agent with \"ssh-add %s\"", file, quoteWord(file))
		}
		return s
	}
	if s := ids.fromAgent(file, nil); s != nil {
		return s
	}
	ids.note("%s: %v", file, err)
	return nil
}

// readPrivate reads a private key. As in OpenSSH, it refuses a file that other users may read.
func readPrivate(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if err == nil && info.Mode().Perm()&0o077 != 0 && bytes.Contains(text, []byte("PRIVATE KEY")) {
		return nil, fmt.Errorf("%s: others may read it (mode %04o), so it is not used; chmod 600 it",
			file, info.Mode().Perm())
	}
	return text, err
}

// fromAgent returns the agent's key for a file. It finds the key by the public key in FILE.pub or FILE.
func (ids *identities) fromAgent(file string, public ssh.PublicKey) ssh.Signer {
	for _, name := range []string{file + ".pub", file} {
		if text, err := os.ReadFile(name); public == nil && err == nil {
			public, _, _, _, _ = ssh.ParseAuthorizedKey(text)
		}
	}
	if public == nil {
		return nil
	}
	return ids.agents(public)
}

func (ids *identities) agents(public ssh.PublicKey) ssh.Signer {
	i := slices.IndexFunc(ids.agent, func(s ssh.Signer) bool { return same(s.PublicKey(), public) })
	if i < 0 {
		return nil
	}
	return ids.agent[i]
}

func same(a, b ssh.PublicKey) bool { return bytes.Equal(a.Marshal(), b.Marshal()) }

func holds(list []ssh.Signer, s ssh.Signer) bool {
	return slices.ContainsFunc(list, func(other ssh.Signer) bool { return same(other.PublicKey(), s.PublicKey()) })
}

// certified joins the certificates of a host to their keys. It reads CertificateFile and FILE-cert.pub.
func (ids *identities) certified(h *host, keys []ssh.Signer) (list []ssh.Signer) {
	files := slices.Clone(h.certificates)
	for _, file := range h.identities {
		files = append(files, file+"-cert.pub")
	}
	for _, file := range files {
		cert, err := readCertificate(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			ids.note("%s: %v", file, err)
			continue
		}
		i := slices.IndexFunc(keys, func(s ssh.Signer) bool { return same(s.PublicKey(), cert.Key) })
		if i < 0 {
			ids.note("%s: there is no private key for this certificate", file)
			continue
		}
		if s, err := ssh.NewCertSigner(cert, keys[i]); err == nil && !holds(list, s) {
			list = append(list, s)
		}
	}
	return list
}

func readCertificate(file string) (*ssh.Certificate, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	key, _, _, _, err := ssh.ParseAuthorizedKey(text)
	if err != nil {
		return nil, err
	}
	cert, ok := key.(*ssh.Certificate)
	if !ok || cert.CertType != ssh.UserCert {
		return nil, errors.New("is no certificate of a user")
	}
	return cert, nil
}

// restrict limits a key to the signatures that a host accepts. It is nil if there are none. Without restrict, a
// host that sends no list would get a signature with SHA-1.
func restrict(s ssh.Signer, accepted []string) ssh.Signer {
	kind := s.PublicKey().Type()
	if kind != ssh.KeyAlgoRSA {
		if slices.Contains(accepted, strings.Replace(kind, "-cert-v01@openssh.com", "", 1)) ||
			strings.HasPrefix(kind, "ssh-rsa-cert") {
			return s
		}
		return nil
	}
	signer, ok := s.(ssh.AlgorithmSigner)
	var may []string
	for _, a := range []string{ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256, ssh.KeyAlgoRSA} {
		if slices.Contains(accepted, a) {
			may = append(may, a)
		}
	}
	if !ok || len(may) == 0 {
		return nil
	}
	if limited, err := ssh.NewSignerWithAlgorithms(signer, may); err == nil {
		return limited
	}
	return nil
}
