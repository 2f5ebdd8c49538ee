package ssh_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qprism/adapters/shell"
	"qprism/adapters/ssh"
	"qprism/fixtures/sshd"
)

func dial(t *testing.T, s *sshd.Server) *ssh.Client {
	t.Helper()
	c, err := ssh.Dial(t.Context(), "master", clientOf(s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// clientOf are options of a client that reads the server's client configuration, and no other.
func clientOf(s *sshd.Server) ssh.Options {
	return ssh.Options{Home: s.Home, Config: []string{filepath.Join(s.Home, ".ssh", "config")}}
}

// configure adds lines before the client's configuration.
func configure(t *testing.T, s *sshd.Server, lines string) {
	t.Helper()
	file := filepath.Join(s.Home, ".ssh", "config")
	old, err := os.ReadFile(file)
	must(t, err)
	must(t, os.WriteFile(file, append([]byte(lines+"\n"), old...), 0o600))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, c *ssh.Client, argv ...string) (out string, status int, err error) {
	t.Helper()
	var b bytes.Buffer
	status, err = c.Run(t.Context(), argv, nil, &b, io.Discard)
	return b.String(), status, err
}

func TestRealServerRunsManyCommandsOverOneConnection(t *testing.T) {
	t.Parallel()
	s := sshd.Start(t, sshd.Options{})
	c := dial(t, s)
	for i := range 20 {
		if out, status, err := run(t, c, "echo", fmt.Sprint(i)); err != nil || status != 0 || out != fmt.Sprintln(i) {
			t.Fatalf("%q, %d, %v", out, status, err)
		}
	}
	if _, status, err := run(t, c, "sh", "-c", "exit 7"); err != nil || status != 7 {
		t.Errorf("status %d, %v; want 7", status, err)
	}
	if n := strings.Count(s.Log(), "Accepted publickey"); n != 1 {
		t.Errorf("%d logins:\n%s", n, s.Log())
	}
}

func TestRealServerPassesHostileWordsThroughAShell(t *testing.T) {
	t.Parallel()
	s := sshd.Start(t, sshd.Options{})
	sh, err := shell.Open(t.Context(), dial(t, s), shell.Options{})
	must(t, err)
	defer sh.Close()
	rapid.Check(t, func(r *rapid.T) {
		words := rapid.SliceOfN(rapid.Map(rapid.SliceOfN(rapid.ByteRange(1, 255), 0, 12), func(b []byte) string { return string(b) }), 1,
			5).Draw(r, "words")
		var out bytes.Buffer
		_, err := sh.Run(r.Context(), append([]string{"/usr/bin/printf", "%s\\000"}, words...), &out)
		if want := strings.Join(words, "\x00") + "\x00"; err != nil || out.String() != want {
			r.Fatalf("got %q, want %q; %v", out.String(), want, err)
		}
	})
}

func TestRealServerWithAnUnknownHostKeyIsRefused(t *testing.T) {
	t.Parallel()
	s := sshd.Start(t, sshd.Options{})
	known := filepath.Join(s.Home, ".ssh", "known_hosts")
	must(t, os.Remove(known))
	_, err := ssh.Dial(t.Context(), "master", clientOf(s))
	var refusal *ssh.HostKeyError
	if !errors.As(err, &refusal) || len(refusal.Known) != 0 {
		t.Fatalf("%v", err)
	}
	if own := fingerprint(t, s); refusal.Fingerprint != own || !strings.Contains(err.Error(), own) {
		t.Errorf("the refusal is %q, the host's own fingerprint %s", err, own)
	}
	accepts(t, s, refusal)
}

func TestRealServerWithAChangedHostKeyIsRefused(t *testing.T) {
	t.Parallel()
	s := sshd.Start(t, sshd.Options{})
	must(t, s.Stop())
	must(t, s.ChangeHostKey())
	must(t, s.Start())
	_, err := ssh.Dial(t.Context(), "master", clientOf(s))
	var refusal *ssh.HostKeyError
	if !errors.As(err, &refusal) || len(refusal.Known) != 1 || !strings.Contains(err.Error(), "has changed") {
		t.Fatalf("%v", err)
	}
	if _, err := exec.LookPath("ssh-keygen"); err == nil {
		accepts(t, s, refusal)
	}
}

// accepts runs the command that a refusal names, after which the host must be let in.
func accepts(t *testing.T, s *sshd.Server, refusal *ssh.HostKeyError) {
	t.Helper()
	if out, err := exec.Command("sh", "-c", refusal.Accept).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", refusal.Accept, err, out)
	}
	dial(t, s)
}

// fingerprint is what ssh-keygen says of the server's key.
func fingerprint(t *testing.T, s *sshd.Server) string {
	t.Helper()
	out, err := exec.Command("ssh-keygen", "-lf", filepath.Join(s.Dir, "host_key.pub")).Output()
	must(t, err)
	return strings.Fields(string(out))[1]
}

func TestRealServerThatDoesNotKnowTheKeySaysWhichWereOffered(t *testing.T) {
	t.Parallel()
	s := sshd.Start(t, sshd.Options{})
	must(t, s.Authorize("", "# nobody"))
	configure(t, s, "Match exec true\n  User other\nHost *")
	_, err := ssh.Dial(t.Context(), "master", clientOf(s))
	for _, want := range []string{"was refused", "ssh-ed25519 SHA256:", "Match exec true"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
}

func TestRealServerIsReachedOverAnother(t *testing.T) {
	t.Parallel()
	gateway, s := sshd.Start(t, sshd.Options{}), sshd.Start(t, sshd.Options{})
	key, err := os.ReadFile(filepath.Join(s.Home, ".ssh", "id_ed25519.pub"))
	must(t, err)
	must(t, gateway.Authorize("restrict,port-forwarding", string(key)))
	known, err := os.ReadFile(filepath.Join(gateway.Home, ".ssh", "known_hosts"))
	must(t, err)
	configure(t, s, fmt.Sprintf("Host gateway\n  HostName 127.0.0.1\n  Port %d\n  User %s\nHost master\n  ProxyJump gateway\n", gateway.Port,
		gateway.User))
	_, err = ssh.Dial(t.Context(), "master", clientOf(s))
	var refusal *ssh.HostKeyError
	if !errors.As(err, &refusal) || !strings.Contains(refusal.Host, fmt.Sprint(gateway.Port)) {
		t.Errorf("the gateway's key was not checked: %v", err)
	}
	f, err := os.OpenFile(filepath.Join(s.Home, ".ssh", "known_hosts"), os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = f.Write(append([]byte("\n"), known...))
	must(t, errors.Join(err, f.Close()))
	if out, _, err := run(t, dial(t, s), "echo", "a"); err != nil || out != "a\n" {
		t.Errorf("%q, %v", out, err)
	}
	if !strings.Contains(gateway.Log(), "Accepted publickey") {
		t.Errorf("the gateway was not used:\n%s", gateway.Log())
	}
}

func TestRealAgentAndCertificateLetIn(t *testing.T) {
	t.Parallel()
	sshd.Require(t, "ssh-agent", "ssh-add", "ssh-keygen")
	s := sshd.Start(t, sshd.Options{})
	key := filepath.Join(s.Home, ".ssh", "id_ed25519")
	t.Run("an agent's key, of which only the public half is a file", func(t *testing.T) {
		socket := filepath.Join(s.Dir, "agent")
		agent := exec.Command("ssh-agent", "-D", "-a", socket)
		must(t, agent.Start())
		defer func() { _ = agent.Process.Kill(); _ = agent.Wait() }()
		add := func() error {
			c := exec.Command("ssh-add", key)
			c.Env = append(os.Environ(), "SSH_AUTH_SOCK="+socket)
			return c.Run()
		}
		for end := time.Now().Add(10 * time.Second); add() != nil; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("the agent does not answer")
			}
		}
		must(t, os.Rename(key, key+".away"))
		defer os.Rename(key+".away", key)
		configure(t, s, "Host by-agent\n  HostName 127.0.0.1\n  Port "+fmt.Sprint(s.Port)+"\n  IdentitiesOnly yes\n  IdentityAgent "+socket+"\n")
		c, err := ssh.Dial(t.Context(), "by-agent", clientOf(s))
		must(t, err)
		must(t, c.Close())
	})
	t.Run("a certificate", func(t *testing.T) {
		authority := filepath.Join(s.Dir, "authority")
		keygen := func(args ...string) {
			if out, err := exec.Command("ssh-keygen", args...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		keygen("-q", "-t", "ed25519", "-N", "", "-f", authority)
		keygen("-q", "-s", authority, "-I", "test", "-n", s.User, key+".pub")
		line, err := os.ReadFile(authority + ".pub")
		must(t, err)
		must(t, s.Authorize("cert-authority", string(line)))
		dial(t, s)
	})
}

func TestRealHostCertificateIsCheckedAgainstItsAuthority(t *testing.T) {
	t.Parallel()
	s := sshd.Start(t, sshd.Options{})
	must(t, s.Stop())
	authority := filepath.Join(s.Dir, "authority")
	for _, args := range [][]string{
		{"-q", "-t", "ed25519", "-N", "", "-f", authority},
		{"-q", "-s", authority, "-h", "-I", "test", "-n", "127.0.0.1", filepath.Join(s.Dir, "host_key.pub")},
	} {
		if out, err := exec.Command("ssh-keygen", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	f, err := os.OpenFile(filepath.Join(s.Dir, "sshd_config"), os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = fmt.Fprintf(f, "HostCertificate %s/host_key-cert.pub\n", s.Dir)
	must(t, errors.Join(err, f.Close()))
	must(t, s.Start())
	dial(t, s) // the plain key is known
	line, err := os.ReadFile(authority + ".pub")
	must(t, err)
	known := filepath.Join(s.Home, ".ssh", "known_hosts")
	must(t, os.WriteFile(known, fmt.Appendf(nil, "@cert-authority [127.0.0.1]:%d %s", s.Port, line), 0o600))
	dial(t, s)
	must(t, os.WriteFile(known, fmt.Appendf(nil, "@cert-authority [127.0.0.1]:%d %s", s.Port+1, line), 0o600))
	if _, err := ssh.Dial(t.Context(), "master", clientOf(s)); err == nil || !strings.Contains(err.Error(), "is not known") {
		t.Errorf("an authority for others: %v", err)
	}
}

func TestRealServerRunsAForcedCommand(t *testing.T) {
	t.Parallel()
	s := sshd.Start(t, sshd.Options{KeyOptions: `command="printf %s \"$SSH_ORIGINAL_COMMAND\" \"$GREETING\"",restrict`,
		Env: []string{"GREETING=good day"}})
	if out, _, err := run(t, dial(t, s), "qstat", "-u", "*", "it's"); err != nil || out != `qstat -u '*' 'it'\''s'good day` {
		t.Errorf("%q, %v", out, err)
	}
}

// A proxy stands between client and server, and can go silent as a network does.
type proxy struct {
	port   int
	silent chan struct{}
	cut    chan struct{}
}

func newProxy(t *testing.T, port int) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	p := &proxy{port: l.Addr().(*net.TCPAddr).Port, silent: make(chan struct{}), cut: make(chan struct{})}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
			if err != nil {
				conn.Close()
				return
			}
			go p.copy(server, conn)
			go p.copy(conn, server)
			go func() { <-p.cut; conn.Close(); server.Close() }()
		}
	}()
	return p
}

func (p *proxy) copy(to io.Writer, from io.Reader) {
	b := make([]byte, 4096)
	for {
		n, err := from.Read(b)
		if err != nil {
			return
		}
		select {
		case <-p.silent:
		default:
			_, _ = to.Write(b[:n])
		}
	}
}

func (p *proxy) dial(t *testing.T, s *sshd.Server, lines string) *ssh.Client {
	t.Helper()
	configure(t, s, fmt.Sprintf("Host behind\n  HostName 127.0.0.1\n  Port %d\n  User %s\n  HostKeyAlias behind\n%s", p.port, s.User, lines))
	key, err := os.ReadFile(filepath.Join(s.Dir, "host_key.pub"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(s.Home, ".ssh", "known_hosts2"), append([]byte("behind "), key...), 0o600))
	c, err := ssh.Dial(t.Context(), "behind", clientOf(s))
	must(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

func TestRealConnectionThatGoesSilentIsGivenUp(t *testing.T) {
	t.Parallel()
	s := sshd.Start(t, sshd.Options{})
	p := newProxy(t, s.Port)
	c := p.dial(t, s, "  ServerAliveInterval 1\n  ServerAliveCountMax 1\n")
	sh, err := shell.Open(t.Context(), c, shell.Options{})
	must(t, err)
	defer sh.Close()
	close(p.silent)
	began := time.Now()
	_, err = sh.Run(t.Context(), []string{"true"}, nil)
	var fate *shell.FateUnknownError
	if !errors.As(err, &fate) || !strings.Contains(err.Error(), "does not answer any more") {
		t.Errorf("%v", err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("that took %v", took)
	}
}

func TestRealCommandOnASilentConnectionEndsWithItsContext(t *testing.T) {
	t.Parallel()
	s := sshd.Start(t, sshd.Options{})
	p := newProxy(t, s.Port)
	c := p.dial(t, s, "")
	close(p.silent)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := c.Run(ctx, []string{"true"}, nil, io.Discard, io.Discard); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("that took %v", took)
	}
}

func TestRealConnectionThatIsCutLeavesTheFateOfItsCommandUnknown(t *testing.T) {
	t.Parallel()
	s := sshd.Start(t, sshd.Options{})
	p := newProxy(t, s.Port)
	sh, err := shell.Open(t.Context(), p.dial(t, s, ""), shell.Options{})
	must(t, err)
	defer sh.Close()
	time.AfterFunc(200*time.Millisecond, func() { close(p.cut) })
	_, err = sh.Run(t.Context(), []string{"sleep", "30"}, nil)
	var fate *shell.FateUnknownError
	if !errors.As(err, &fate) || !strings.Contains(err.Error(), "was lost") {
		t.Errorf("%v", err)
	}
}

func TestRealCommandThatHangsIsLeftWithItsContext(t *testing.T) {
	t.Parallel()
	s := sshd.Start(t, sshd.Options{})
	c := dial(t, s)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := c.Run(ctx, []string{"sleep", "8"}, nil, io.Discard, io.Discard); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if took := time.Since(began); took > 6*time.Second {
		t.Errorf("that took %v", took)
	}
}

func TestRealServerWithWeakAlgorithmsAloneNeedsThemNamed(t *testing.T) {
	t.Parallel()
	s := sshd.Start(t, sshd.Options{Config: "KexAlgorithms diffie-hellman-group14-sha1\nCiphers aes128-cbc\nMACs hmac-sha1\n"})
	_, err := ssh.Dial(t.Context(), "master", clientOf(s))
	if err == nil || !strings.Contains(err.Error(), "Host master\n    KexAlgorithms +diffie-hellman-group14-sha1") {
		t.Fatalf("%v", err)
	}
	configure(t, s, "Host master\n  KexAlgorithms +diffie-hellman-group14-sha1")
	_, err = ssh.Dial(t.Context(), "master", clientOf(s))
	if err == nil || !strings.Contains(err.Error(), "Ciphers +aes128-cbc") {
		t.Fatalf("%v", err)
	}
	configure(t, s, "Host master\n  Ciphers +aes128-cbc")
	dial(t, s)
}

func TestHostThatDoesNotAnswerIsLeftInTime(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0") // and never accepts
	must(t, err)
	defer l.Close()
	home := t.TempDir()
	config := filepath.Join(home, "config")
	must(t, os.WriteFile(config, []byte("Host *\n ConnectTimeout 1\n IdentityAgent none\n"), 0o600))
	began := time.Now()
	_, err = ssh.Dial(t.Context(), l.Addr().String(), ssh.Options{Home: home, Config: []string{config}})
	if err == nil || !strings.Contains(err.Error(), "no connection within 1s") || time.Since(began) > 5*time.Second {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
}
