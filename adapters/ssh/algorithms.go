package ssh

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"
)

// choose applies a list of ssh_config(5) to the normal algorithms. "+a,b" adds, "^a,b" puts first, "-a" removes
// (with patterns), and any other list replaces. Only such a list can add weak algorithms, and only for one
// host. Unknown names are left out.
func choose(list string, normal, weak []string) []string {
	named := func(text string) (names []string) {
		for name := range strings.SplitSeq(text, ",") {
			if slices.Contains(normal, name) || slices.Contains(weak, name) {
				names = append(names, name)
			}
		}
		return names
	}
	without := func(drop func(string) bool) []string { return slices.DeleteFunc(slices.Clone(normal), drop) }
	switch {
	case list == "":
		return normal
	case list[0] == '+':
		return append(slices.Clone(normal), named(list[1:])...)
	case list[0] == '^':
		first := named(list[1:])
		return append(first, without(func(name string) bool { return slices.Contains(first, name) })...)
	case list[0] == '-':
		return without(func(name string) bool {
			return slices.ContainsFunc(strings.Split(list[1:], ","), func(p string) bool {
				fits, _ := path.Match(p, name)
				return fits
			})
		})
	}
	return named(list)
}

// algorithms are the allowed algorithms for one host.
type algorithms struct{ kex, ciphers, macs, hostKeys, identities []string }

func (h *host) allowed() (algorithms, error) {
	strong, weak := ssh.SupportedAlgorithms(), ssh.InsecureAlgorithms()
	var a algorithms
	for _, kind := range []struct {
		keyword      string
		to           *[]string
		strong, weak []string
	}{
		{"KexAlgorithms", &a.kex, strong.KeyExchanges, weak.KeyExchanges},
		{"Ciphers", &a.ciphers, strong.Ciphers, weak.Ciphers},
		{"MACs", &a.macs, strong.MACs, weak.MACs},
		{"HostKeyAlgorithms", &a.hostKeys, strong.HostKeys, weak.HostKeys},
		{"PubkeyAcceptedAlgorithms", &a.identities, strong.PublicKeyAuths, weak.PublicKeyAuths},
	} {
		*kind.to = choose(h.algorithms[kind.keyword], kind.strong, kind.weak)
		if len(*kind.to) == 0 {
			return a, fmt.Errorf("host %s: none of %s %q is implemented here", h.alias, kind.keyword, h.algorithms[kind.keyword])
		}
	}
	return a, nil
}

// remedy says which weak algorithms the host offers, and how to allow them for that host.
func (h *host) remedy(e *ssh.AlgorithmNegotiationError) string {
	weak := ssh.InsecureAlgorithms()
	for _, kind := range []struct {
		keyword string
		weak    []string
	}{{"KexAlgorithms", weak.KeyExchanges}, {"Ciphers", weak.Ciphers}, {"MACs", weak.MACs},
		{"HostKeyAlgorithms", weak.HostKeys}} {
		for _, name := range kind.weak {
			if slices.Contains(e.RequestedAlgorithms, name) && !slices.Contains(e.SupportedAlgorithms, name) {
				return fmt.Sprintf("; it offers only what is weak by now. To allow that for this host "+
					"alone write in ~/.ssh/config:\n  Host %s\n    %s +%s",
					h.alias, kind.keyword, name)
			}
		}
	}
	return ""
}
