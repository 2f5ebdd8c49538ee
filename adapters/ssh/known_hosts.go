package ssh

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"
)

// A HostKeyError says that Dial refused a host because its key is not in known_hosts.
type HostKeyError struct {
	Host        string // in the form of known_hosts: "host" or "[host]:port"
	Type        string // of the host's key
	Fingerprint string // "SHA256:…"
	Known       []string
	Revoked     bool
	Accept      string // the command that accepts the host's key
}

func (e *HostKeyError) Error() string {
	switch {
	case e.Revoked:
		return fmt.Sprintf("the host key of %s, %s %s, is revoked in %s", e.Host, e.Type, e.Fingerprint, e.Known[0])
	case len(e.Known) > 0:
		return fmt.Sprintf("the host key of %s has changed: it shows %s %s, but known are\n  %s\nEither "+
			"the host was set up anew, or somebody sits in between. Only if you know it is the former:\n  %s",
			e.Host, e.Type, e.Fingerprint, strings.Join(e.Known, "\n  "), e.Accept)
	}
	return fmt.Sprintf("the host key of %s is not known: it shows\n  %s %s\nCompare that with the "+
		"host's own (ssh-keygen -lf on its /etc/ssh/ssh_host_*_key.pub), then accept it:\n  %s",
		e.Host, e.Type, e.Fingerprint, e.Accept)
}

// hostKeys has the known keys of one host.
type hostKeys struct {
	host  *host
	check ssh.HostKeyCallback
	want  []knownhosts.KnownKey
}

// knownKeys reads the known_hosts files of a host. A file may be missing.
func knownKeys(h *host) (*hostKeys, error) {
	var files []string
	for _, file := range h.knownHosts {
		if _, err := os.Stat(file); err == nil && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	check, err := knownhosts.New(files...)
	if err != nil {
		return nil, fmt.Errorf("read known hosts: %w", err)
	}
	k := &hostKeys{host: h, check: check}
	var unknown *knownhosts.KeyError
	if errors.As(check(h.keyAddress(), nowhere, noKey{}), &unknown) {
		k.want = unknown.Want
	}
	return k, nil
}

// verify is the ssh.HostKeyCallback. Every connection must pass it.
func (k *hostKeys) verify(_ string, remote net.Addr, key ssh.PublicKey) error {
	err := k.check(k.host.keyAddress(), remote, key)
	if err == nil {
		return nil
	}
	e := &HostKeyError{Host: knownhosts.Normalize(k.host.keyAddress()), Type: key.Type(),
		Fingerprint: ssh.FingerprintSHA256(key)}
	var (
		wrong   *knownhosts.KeyError
		revoked *knownhosts.RevokedError
	)
	switch {
	case errors.As(err, &revoked):
		e.Revoked, e.Known = true, []string{describe(revoked.Revoked)}
	case errors.As(err, &wrong):
		for _, w := range wrong.Want {
			e.Known = append(e.Known, describe(w))
		}
		e.Accept = k.accept(e.Host, key, wrong.Want)
	default:
		return fmt.Errorf("host key of %s (%s %s): %w", e.Host, e.Type, e.Fingerprint, err) // such as an invalid certificate
	}
	return e
}

func describe(k knownhosts.KnownKey) string {
	return fmt.Sprintf("%s %s (%s:%d)", k.Key.Type(), ssh.FingerprintSHA256(k.Key), k.Filename, k.Line)
}

// accept returns the command that makes this key the known one. The command does not ask the host again, as
// ssh-keyscan does, because it could get another key.
func (k *hostKeys) accept(name string, key ssh.PublicKey, known []knownhosts.KnownKey) string {
	var commands []string
	for _, w := range known {
		remove := quote([]string{"ssh-keygen", "-f", w.Filename, "-R", name})
		if !slices.Contains(commands, remove) {
			commands = append(commands, remove)
		}
	}
	line := knownhosts.Line([]string{name}, key)
	return strings.Join(append(commands, quote([]string{"echo", line})+" >> "+quote(k.host.knownHosts[:1])), " && ")
}

// prefer puts algorithms with a known key first, as OpenSSH does. A host has several keys. A key that is not in
// known_hosts would look like a change. prefer asks for certificates only if an authority is known.
func (k *hostKeys) prefer(algorithms []string) (list []string) {
	var rest []string
	authority := slices.ContainsFunc(k.want, isAuthority)
	for _, a := range algorithms {
		certificate := strings.Contains(a, "-cert-")
		known := slices.ContainsFunc(k.want, func(w knownhosts.KnownKey) bool {
			return !isAuthority(w) && keyType(a) == w.Key.Type()
		})
		switch {
		case certificate && authority:
			list = append(list, a)
		case certificate:
		case known:
			list = append(list, a)
		default:
			rest = append(rest, a)
		}
	}
	return append(list, rest...)
}

// keyType returns the type of key that an algorithm signs with.
func keyType(algorithm string) string {
	if algorithm == ssh.KeyAlgoRSASHA256 || algorithm == ssh.KeyAlgoRSASHA512 {
		return ssh.KeyAlgoRSA
	}
	return algorithm
}

// isAuthority reports whether a line of known_hosts names an authority that signs host keys.
func isAuthority(k knownhosts.KnownKey) bool {
	f, err := os.Open(k.Filename)
	if err != nil {
		return false
	}
	defer f.Close()
	scan := bufio.NewScanner(f)
	for number := 1; scan.Scan(); number++ {
		if number == k.Line {
			return strings.HasPrefix(strings.TrimSpace(scan.Text()), "@cert-authority")
		}
	}
	return false
}

// nowhere and noKey serve to ask for the known keys of a host without its key.
var nowhere = &net.TCPAddr{IP: net.IPv4zero}

type noKey struct{}

func (noKey) Type() string                        { return "none" }
func (noKey) Marshal() []byte                     { return nil }
func (noKey) Verify([]byte, *ssh.Signature) error { return errors.New("no key") }
