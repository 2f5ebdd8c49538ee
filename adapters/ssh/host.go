package ssh

import (
	"cmp"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A host says where and how to connect, by the configuration.
type host struct {
	alias, hostname, user string
	port                  int
	identities            []string // private key files
	certificates          []string
	onlyThese             bool   // IdentitiesOnly
	agent                 string // the agent's socket, or "none"
	jumps                 []string
	knownHosts            []string
	keyAlias              string
	timeout               time.Duration // time limit for the whole connection
	alive                 time.Duration // pause between checks whether the host still answers; 0 for no checks
	aliveMost             int           // how many checks in a row may get no answer
	algorithms            map[string]string
}

// Defaults for options that the configuration does not set.
const (
	defaultTimeout = 20 * time.Second
	defaultAlive   = 15 * time.Second
	defaultMost    = 3
)

// algorithmKeywords are the options with lists of algorithms. Two of them also have an old name.
var algorithmKeywords = map[string]string{
	"kexalgorithms": "KexAlgorithms", "ciphers": "Ciphers", "macs": "MACs", "hostkeyalgorithms": "HostKeyAlgorithms",
	"pubkeyacceptedalgorithms": "PubkeyAcceptedAlgorithms", "pubkeyacceptedkeytypes": "PubkeyAcceptedAlgorithms",
}

// host finds [user@]host[:port] or ssh://[user@]host[:port] in the configuration.
func (c *config) host(target, me string) (*host, error) {
	user, alias, port, err := splitTarget(target)
	if err != nil {
		return nil, err
	}
	found, lists, err := c.lookUp(asked{alias: alias, hostname: alias, user: user, me: me})
	if err != nil {
		return nil, err
	}
	h := &host{alias: alias, user: cmp.Or(user, found["user"], me), algorithms: map[string]string{},
		keyAlias: found["hostkeyalias"]}
	h.hostname = hostname(found, alias)
	h.onlyThese = strings.EqualFold(found["identitiesonly"], "yes")
	for keyword, name := range algorithmKeywords {
		if h.algorithms[name] == "" {
			h.algorithms[name] = found[keyword]
		}
	}
	if err := h.setNumbers(found, port); err != nil {
		return nil, err
	}
	c.setPaths(h, found, lists, me)
	return h, h.setJumps(found)
}

// lookUp finds the settings for a host. It takes the first value of each keyword, and all values of keywords
// that add up.
func (c *config) lookUp(a asked) (found map[string]string, lists map[string][]string, err error) {
	found, lists = map[string]string{}, map[string][]string{}
	decided := map[*block]bool{}
	holds := func(b *block) bool {
		if _, ok := decided[b]; !ok {
			decided[b] = b.holds(a)
		}
		return decided[b]
	}
	named := a.user
	a.user = cmp.Or(named, a.me)
	for _, s := range c.lines {
		if outside := func(b *block) bool { return !holds(b) }; slices.ContainsFunc(s.blocks, outside) {
			continue
		}
		switch s.keyword {
		case "identityfile", "certificatefile":
			if !slices.Contains(lists[s.keyword], s.values[0]) {
				lists[s.keyword] = append(lists[s.keyword], s.values[0])
			}
		case "userknownhostsfile", "globalknownhostsfile":
			if lists[s.keyword] == nil {
				lists[s.keyword] = s.values
			}
		case "proxyjump", "proxycommand": // the first of the two wins
			if found["proxyjump"]+found["proxycommand"] == "" {
				found[s.keyword] = strings.Join(s.values, " ")
				found["place of proxy"] = s.place
			}
		default:
			if found[s.keyword] == "" {
				found[s.keyword] = s.values[0]
			}
		}
		a.hostname, a.user = hostname(found, a.alias), cmp.Or(named, found["user"], a.me)
	}
	return found, lists, nil
}

// hostname returns the name to connect to, by the settings so far.
func hostname(found map[string]string, alias string) string {
	return expand(cmp.Or(found["hostname"], alias), map[byte]string{'h': alias, 'n': alias})
}

// setNumbers sets ports and times.
func (h *host) setNumbers(found map[string]string, port int) error {
	numbers := map[string]int{}
	for _, keyword := range []string{"port", "connecttimeout", "serveraliveinterval", "serveralivecountmax"} {
		text := found[keyword]
		if text == "" || text == "none" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return fmt.Errorf("%s %q of host %s is no number", keyword, text, h.alias)
		}
		numbers[keyword] = n
	}
	h.port = cmp.Or(port, numbers["port"], 22)
	if h.port > 65535 {
		return fmt.Errorf("host %s: there is no port %d", h.alias, h.port)
	}
	seconds := func(keyword string) time.Duration { return time.Duration(numbers[keyword]) * time.Second }
	h.timeout = cmp.Or(seconds("connecttimeout"), defaultTimeout)
	h.alive = cmp.Or(seconds("serveraliveinterval"), defaultAlive)
	h.aliveMost = cmp.Or(numbers["serveralivecountmax"], defaultMost)
	return nil
}

// setPaths sets file names, and replaces their tokens.
func (c *config) setPaths(h *host, found map[string]string, lists map[string][]string, me string) {
	tokens := map[byte]string{'d': c.home, 'h': h.hostname, 'n': h.alias, 'p': strconv.Itoa(h.port), 'r': h.user, 'u': me,
		'k': cmp.Or(h.keyAlias, h.alias), 'i': strconv.Itoa(os.Getuid())}
	paths := func(names []string) (paths []string) {
		for _, name := range names {
			paths = append(paths, c.tilde(os.ExpandEnv(expand(name, tokens))))
		}
		return paths
	}
	inHome := func(names ...string) (paths []string) {
		for _, name := range names {
			paths = append(paths, filepath.Join(c.home, ".ssh", name))
		}
		return paths
	}
	h.identities, h.certificates = paths(lists["identityfile"]), paths(lists["certificatefile"])
	if h.identities == nil {
		h.identities = inHome("id_ed25519", "id_ecdsa", "id_rsa")
	}
	user, global := paths(lists["userknownhostsfile"]), paths(lists["globalknownhostsfile"])
	if user == nil {
		user = inHome("known_hosts", "known_hosts2")
	}
	if global == nil {
		global = []string{"/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"}
	}
	h.knownHosts = append(user, global...)
	switch agent := found["identityagent"]; {
	case agent == "" || agent == "SSH_AUTH_SOCK":
		h.agent = os.Getenv("SSH_AUTH_SOCK")
	case strings.HasPrefix(agent, "$"):
		h.agent = os.ExpandEnv(agent)
	default:
		h.agent = paths([]string{agent})[0]
	}
}

func (h *host) setJumps(found map[string]string) error {
	if command := found["proxycommand"]; command != "" && !strings.EqualFold(command, "none") {
		return fmt.Errorf("%s: host %s is reached with a ProxyCommand, which is not run; write ProxyJump instead",
			found["place of proxy"],
			h.alias)
	}
	if jump := found["proxyjump"]; jump != "" && !strings.EqualFold(jump, "none") {
		for one := range strings.SplitSeq(jump, ",") {
			h.jumps = append(h.jumps, strings.TrimSpace(one))
		}
	}
	return nil
}

// address returns host and port to connect to.
func (h *host) address() string { return net.JoinHostPort(h.hostname, strconv.Itoa(h.port)) }

// keyAddress returns the name of the host in known_hosts.
func (h *host) keyAddress() string {
	if h.keyAlias != "" {
		return net.JoinHostPort(h.keyAlias, "22")
	}
	return h.address()
}

func (h *host) String() string { return h.user + "@" + h.address() }

// expand replaces the tokens of ssh_config(5), such as %h.
func expand(text string, tokens map[byte]string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '%' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		if value, known := tokens[text[i]]; known {
			b.WriteString(value)
		} else if text[i] == '%' {
			b.WriteByte('%')
		} else {
			b.WriteString(text[i-1 : i+1])
		}
	}
	return b.String()
}

// splitTarget splits [user@]host[:port].
func splitTarget(target string) (user, name string, port int, err error) {
	rest := strings.TrimSuffix(strings.TrimPrefix(target, "ssh://"), "/")
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		user, rest = rest[:i], rest[i+1:]
	}
	name = rest
	if h, p, err := net.SplitHostPort(rest); err == nil {
		name = h
		if port, err = strconv.Atoi(p); err != nil || port < 1 || port > 65535 {
			return "", "", 0, fmt.Errorf("%q: there is no port %s", target, p)
		}
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	if name == "" || strings.HasPrefix(name, "-") || strings.ContainsAny(name, " \t\n/'\"") {
		return "", "", 0, fmt.Errorf("%q is no host: write [user@]host[:port]", target)
	}
	return user, name, port, nil
}
