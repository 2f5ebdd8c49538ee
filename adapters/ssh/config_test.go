package ssh

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"qprism/fixtures/sshd"
)

// hostIn reads what a configuration says of a host.
func hostIn(t testing.TB, home, text, target string) (*host, *config, error) {
	t.Helper()
	file := filepath.Join(home, ".ssh", "config")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := readConfig(home, []string{file})
	if err != nil {
		return nil, nil, err
	}
	h, err := c.host(target, "me")
	return h, c, err
}

func TestConfigurationSaysHowToReachAHost(t *testing.T) {
	for name, c := range map[string]struct{ config, target, want string }{
		"nothing is said":                           {"", "node", "me@node:22"},
		"the target's own words go before":          {"User a\nPort 1", "b@node:2", "b@node:2"},
		"an URL":                                    {"", "ssh://b@node:2", "b@node:2"},
		"an address of IPv6":                        {"", "b@[::1]:2", "b@[::1]:2"},
		"the first of two settings holds":           {"Host node\n User a\nHost *\n User b", "node", "a@node:22"},
		"a block for others":                        {"Host other\n User a", "node", "me@node:22"},
		"a pattern with a hole":                     {"Host n?d* !node\n User a", "node", "me@node:22"},
		"a pattern":                                 {"Host n?d* !other\n User a", "node", "a@node:22"},
		"a name behind the name":                    {"Host node\n HostName %h.example.org", "node", "me@node.example.org:22"},
		"keywords in any case, with an equals sign": {"HOSTNAME=a\nuser = b\nPoRt\t=\t7 # seven", "node", "b@a:7"},
		"quotes":                          {`User "a b"`, "node", "a b@node:22"},
		"Match originalhost":              {"Match originalhost node\n User a", "node", "a@node:22"},
		"Match host sees the name behind": {"HostName x\nMatch host x\n User a", "node", "a@x:22"},
		"Match user":                      {"Match user z,me\n Port 7", "z@node", "z@node:7"},
		"Match holds to its end":          {"Match host node\n HostName x\n Port 7", "node", "me@x:7"},
		"Match host sees tokens replaced": {"HostName %h.org\nMatch host *.org\n User a", "node", "a@node.org:22"},
		"Match user without one":          {"Match user me\n Port 7", "node", "me@node:7"},
		"a criterion turned round":        {"Match !host x !user z\n Port 7", "node", "me@node:7"},
		"Match all":                       {"Host other\nMatch all\n User a", "node", "a@node:22"},
		"Match with two criteria":         {"Match host node localuser you\n User a", "node", "me@node:22"},
		"Match exec is not read":          {"Match exec true\n User a", "node", "me@node:22"},
	} {
		h, _, err := hostIn(t, t.TempDir(), c.config, c.target)
		if err != nil || h.String() != c.want {
			t.Errorf("%s: %v, %v; want %s", name, h, err, c.want)
		}
	}
}

func TestConfigurationThatCannotBeFollowedIsAnError(t *testing.T) {
	for name, c := range map[string]struct{ config, target, want string }{
		"a ProxyCommand":         {"Host node\n ProxyCommand nc %h %p", "node", "config:2: host node is reached with a ProxyCommand"},
		"an open quote":          {"Host node\n User \"a", "node", "config:2: a quote is not closed"},
		"a keyword alone":        {"User", "node", "config:1: no value for User"},
		"a port that is none":    {"Port http", "node", "is no number"},
		"a port too far":         {"Port 70000", "node", "there is no port 70000"},
		"an option for a host":   {"", "-oProxyCommand=x", "is no host"},
		"a host with a blank":    {"", "a b", "is no host"},
		"no host":                {"", "me@", "is no host"},
		"files in a circle":      {"Include config", "node", "include each other"},
		"a jump in a circle":     {"Host a\n ProxyJump b\nHost b\n ProxyJump a", "a", "over itself"},
		"algorithms not known":   {"Ciphers rot13", "node", "none of Ciphers"},
		"a jump that is no host": {"ProxyJump a b", "node", "is no host"},
	} {
		h, conf, err := hostIn(t, t.TempDir(), c.config, c.target)
		if err == nil {
			_, err = conf.route(c.target, "me", 0)
		}
		if err == nil {
			_, err = h.allowed()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q in it", name, err, c.want)
		}
	}
}

func TestJumpsLeadFromTheFirstToTheHost(t *testing.T) {
	_, c, err := hostIn(t, t.TempDir(), "Host node\n ProxyJump b,x@c:7\nHost b\n ProxyJump a\nHost c\n ProxyJump none\n", "node")
	if err != nil {
		t.Fatal(err)
	}
	route, err := c.route("node", "me", 0)
	if got, want := fmt.Sprint(route), "[me@a:22 me@b:22 x@c:7 me@node:22]"; err != nil || got != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}

func TestWeakAlgorithmsComeInByNameAlone(t *testing.T) {
	normal, weak := []string{"a", "b", "c"}, []string{"x", "y"}
	for list, want := range map[string]string{
		"": "a,b,c", "+x": "a,b,c,x", "+x,nonsense": "a,b,c,x", "^c,x": "c,x,a,b", "-a": "b,c", "-*": "", "x": "x", "c,a": "c,a", "nonsense": "",
	} {
		if got := strings.Join(choose(list, normal, weak), ","); got != want {
			t.Errorf("%q: %s, want %s", list, got, want)
		}
	}
	h := &host{algorithms: map[string]string{}}
	got, err := h.allowed()
	if err != nil || slices.ContainsFunc(got.kex, func(n string) bool { return strings.HasSuffix(n, "sha1") }) ||
		slices.Contains(got.identities, "ssh-rsa") {
		t.Errorf("weak algorithms hold without being named: %v, %v", got, err)
	}
}

// TestOpenSSHReadsTheSame lets OpenSSH's own client say how it reads random configurations.
func TestOpenSSHReadsTheSame(t *testing.T) {
	sshd.Require(t, "ssh")
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	pattern := rapid.SampledFrom([]string{"*", "node", "n*", "?ode", "!node", "other", "!o*", "n?d?"})
	line := rapid.Custom(func(r *rapid.T) string {
		switch rapid.IntRange(0, 9).Draw(r, "kind") {
		case 0, 1:
			return "Host " + strings.Join(rapid.SliceOfN(pattern, 1, 3).Draw(r, "patterns"), " ")
		case 2:
			return "Match " + rapid.SampledFrom([]string{"all", "host node", "host n*,!node", "originalhost node", "user u1", "host h1 user u1",
				"host *.org", "!host h1", "originalhost n* !user u2"}).Draw(r, "criteria")
		case 3, 4:
			return "user " + rapid.SampledFrom([]string{"u1", "u2", `"u3"`}).Draw(r, "user")
		case 5:
			return "Port=" + rapid.SampledFrom([]string{"1", "22", "2222"}).Draw(r, "port")
		case 6:
			return "  HostName " + rapid.SampledFrom([]string{"h1", "%h.org", "h2 # comment"}).Draw(r, "name")
		case 7:
			return "IdentityFile " + rapid.SampledFrom([]string{"/a", "/b/%r", "/c"}).Draw(r, "file")
		case 8:
			return "ProxyJump " + rapid.SampledFrom([]string{"none", "j1", "u@j2:7"}).Draw(r, "jump")
		}
		return rapid.SampledFrom([]string{"", "# nothing", "ServerAliveInterval 7", "IdentitiesOnly yes"}).Draw(r, "other")
	})
	rapid.Check(t, func(r *rapid.T) {
		text := strings.Join(rapid.SliceOfN(line, 0, 12).Draw(r, "lines"), "\n") + "\n"
		target := rapid.SampledFrom([]string{"node", "u1@node", "other"}).Draw(r, "target")
		_, c, err := hostIn(t, home, text, target)
		if err != nil {
			r.Fatalf("%v:\n%s", err, text)
		}
		h, err := c.host(target, me.Username)
		dump, said := exec.Command("ssh", "-G", "-F", filepath.Join(home, ".ssh", "config"), target).Output()
		if said != nil || err != nil {
			r.Fatalf("%v, ssh %v:\n%s", err, said, text)
		}
		compare(r, text, h, string(dump))
	})
}

// compare compares a host with the lines of ssh -G.
func compare(r *rapid.T, text string, h *host, dump string) {
	says := map[string][]string{}
	for line := range strings.Lines(dump) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		says[key] = append(says[key], value)
	}
	one := func(key string) string { return strings.Join(says[key], " ") }
	got := fmt.Sprintf("%s@%s:%d over %s", h.user, h.hostname, h.port, strings.Join(h.jumps, ","))
	jump := one("proxyjump")
	if jump == "none" {
		jump = ""
	}
	if want := fmt.Sprintf("%s@%s:%s over %s", one("user"), one("hostname"), one("port"), jump); got != want {
		r.Fatalf("got %s, ssh says %s of\n%s", got, want, text)
	}
	if len(h.identities) > 0 && strings.HasPrefix(h.identities[0], "/") && !strings.Contains(h.identities[0], ".ssh") &&
		h.user == one("user") {
		if want := strings.ReplaceAll(one("identityfile"), "%r", h.user); strings.Join(h.identities, " ") != want {
			r.Fatalf("identities %v, ssh says %s of\n%s", h.identities, want, text)
		}
	}
}
