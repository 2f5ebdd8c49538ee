package act

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"qprism/cmd/qprism/act/doctor"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
	"qprism/fixtures/sshd"
)

// TestInitMakesAServeThatAnswers writes a configuration for a real master behind a real ssh server, and runs it.
func TestInitMakesAServeThatAnswers(t *testing.T) {
	sshd.Require(t)
	t.Parallel()
	m := busy(t)
	s := sshTo(t, m, "")
	d := cli.Deps{Store: filepath.Join(t.TempDir(), "store", "store.db"), StoreGiven: true, Format: "table"}
	file := filepath.Join(t.TempDir(), "conf", "qprism.yaml")
	config := filepath.Join(s.Home, ".ssh", "config")
	ssh, err := os.ReadFile(config)
	must(t, err)
	ssh = fmt.Appendf(ssh, "  IdentityFile %[1]s/.ssh/id_ed25519\n  UserKnownHostsFile %[1]s/.ssh/known_hosts\n", s.Home)
	must(t, os.WriteFile(config, ssh, 0o600))
	o := doctor.InitOptions{Output: file, Asks: strings.NewReader("no name\nbonn\n90\n\nmaybe\nyes\n"),
		Reach: subject.Reach{From: "master", SshConfig: config}}
	o.Client.Home = s.Home
	var out, asked bytes.Buffer
	must(t, doctor.RunInit(t.Context(), &d, o, &out, &asked))
	t.Logf("\n%s\n%s", asked.String(), out.String())
	for _, want := range []string{doctor.BadName, doctor.BadMinutes, doctor.BadPage, doctor.AskName +
		" [qmaster-default]"} {
		if !strings.Contains(asked.String(), want) {
			t.Errorf("asked without %q", want)
		}
	}
	for _, want := range []string{"configuration  ok", "capture        ok", "audit          ok", "pushes         ok",
		"push, drive (operator or manager of the cluster): yes",
		`restrict,command="SGE_ROOT=` + m.Root, "qprism-gate read\" ssh-ed25519 ", "\n    qprism "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("said without %q", want)
		}
	}
	if err := doctor.RunInit(t.Context(), &d, o, &out, &asked); err == nil || !strings.Contains(err.Error(), "--force") {
		t.Errorf("a second time the error is %v", err)
	}

	text, err := os.ReadFile(file)
	must(t, err)
	t.Logf("\n%s", text)
	quick := strings.NewReplacer("127.0.0.1:8470", "127.0.0.1:0", "127.0.0.1:8765", "127.0.0.1:0",
		`"*/5 * * * *"`, `"@every 2s"`).Replace(string(text))
	must(t, os.WriteFile(file, []byte(quick), 0o600))
	running := startServe(t, file)
	running.await(t, `msg=done cluster=bonn task=audit .*unexplained=0`, 1)
	page := regexp.MustCompile(`msg=page url=(\S+)`).FindStringSubmatch(running.log())
	if page == nil {
		t.Fatalf("no page in\n%s", running.log())
	}
	for _, path := range []string{"", "metrics"} {
		r, err := http.Get(strings.TrimSuffix(page[1], "/") + "/" + path)
		must(t, err)
		r.Body.Close()
		if r.StatusCode != http.StatusOK {
			t.Errorf("/%s answers %s", path, r.Status)
		}
	}
	running.stop(t)
}
