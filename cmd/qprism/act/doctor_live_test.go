package act

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"qprism/adapters/ssh"
	"qprism/cmd/qprism/act/doctor"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
	"qprism/fixtures/master"
	"qprism/fixtures/sshd"
)

// examined runs doctor and returns what each step found; the error says whether one failed.
func examined(t *testing.T, d cli.Deps, o doctor.Options) (map[string]doctor.Finding, error) {
	t.Helper()
	var out bytes.Buffer
	d.Format = "json"
	err := doctor.Run(t.Context(), &d, o, nil, &out)
	var list []doctor.Finding
	must(t, json.Unmarshal(out.Bytes(), &list))
	steps := map[string]doctor.Finding{}
	for _, f := range list {
		steps[f.Step] = f
	}
	return steps, err
}

// TestADoctorFindsWhatIsWrong breaks the set-up of a real master behind a real ssh server, one thing after the other.
func TestADoctorFindsWhatIsWrong(t *testing.T) {
	sshd.Require(t)
	t.Parallel()
	m := busy(t)
	s := sshTo(t, m, "")
	d := cli.Deps{Store: filepath.Join(t.TempDir(), "store.db"), Format: "table"}
	home := filepath.Join(s.Home, ".ssh")
	o := doctor.Options{Reach: subject.Reach{From: "master",
		Client: ssh.Options{Home: s.Home, Config: []string{filepath.Join(home, "config")}}}, Allow: []string{"push"}}

	configure := func(old, other string) {
		t.Helper()
		conf, err := m.Run("qconf", "-ssconf")
		must(t, err)
		changed := regexp.MustCompile(old).ReplaceAllString(conf, other)
		if changed == conf {
			t.Fatalf("no %q in\n%s", old, conf)
		}
		file := filepath.Join(t.TempDir(), "sched_conf")
		must(t, os.WriteFile(file, []byte(changed), 0o644))
		_, err = m.Run("qconf", "-Msconf", file)
		must(t, err)
	}
	configure(`weight_priority +\S+`, "weight_priority 1")

	var shown bytes.Buffer
	err := doctor.Run(t.Context(), &d, o, nil, &shown)
	t.Logf("\n%s", shown.String())
	must(t, err)
	if n := strings.Count(shown.String(), " ok "); n != 14 {
		t.Errorf("%d steps are ok", n)
	}

	expect := func(name string, o doctor.Options, step string, state doctor.Verdict, words ...string) doctor.Finding {
		t.Helper()
		steps, err := examined(t, d, o)
		f := steps[step]
		for _, other := range steps {
			if other.State == doctor.Failing && other.Step != step {
				t.Errorf("%s: %s fails: %s", name, other.Step, other.Seen)
			}
		}
		text := f.Seen + "\n" + strings.Join(f.Fix, "\n")
		if f.State != state || (err != nil) != (state == doctor.Failing) {
			t.Errorf("%s: %s is %s (%v): %s", name, step, f.State, err, text)
		}
		for _, w := range words {
			if !strings.Contains(text, w) {
				t.Errorf("%s: nothing is said of %q: %s", name, w, text)
			}
		}
		return f
	}

	known, err := os.ReadFile(filepath.Join(home, "known_hosts"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(home, "known_hosts"), nil, 0o600))
	f := expect("an unknown host key", o, "host", doctor.Failing, "is not known: it shows ssh-ed25519 SHA256:")
	if accept := f.Fix[len(f.Fix)-1]; !strings.HasPrefix(accept, "'echo' '[127.0.0.1]:") &&
		!strings.HasPrefix(accept, "echo ") {
		t.Errorf("the command to accept it is %q", accept)
	}
	must(t, os.WriteFile(filepath.Join(home, "known_hosts"), known, 0o600))

	wrong := o
	wrong.Settings = "/no/such/settings.sh"
	expect("settings that are not there", wrong, "shell", doctor.Failing, "/no/such/settings.sh")
	must(t, s.Authorize("", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"))
	expect("a login that is refused", o, "host", doctor.Failing, s.User+
		" was refused with the keys ssh-ed25519 SHA256:", "authorized_keys")
	key, err := os.ReadFile(filepath.Join(home, "id_ed25519.pub"))
	must(t, err)
	must(t, s.Authorize("", string(key)))
	wrong = o
	wrong.From = "master:1"
	expect("nobody who listens", wrong, "host", doctor.Failing, "connection refused")

	gate, err := filepath.Abs("../../../scripts/qprism-gate")
	must(t, err)
	authorize := func(mode string) {
		t.Helper()
		must(t, s.Authorize(fmt.Sprintf(`restrict,command="%s -l %s %s"`, gate, filepath.Join(s.Dir, "gate.log"),
			mode), string(key)))
	}
	authorize("read")
	expect("a gate that permits less", o, "gate", doctor.Failing, "qprism-gate in mode read", "qprism-gate order")
	authorize("order")
	expect("the right gate", o, "gate", doctor.Healthy, "qprism-gate in mode order")
	set := o
	set.Settings = "/opt/sge/default/common/settings.sh"
	expect("a gate, which reads no settings of the client", set, "shell", doctor.Warning,
		"qprism-gate does not read /opt/sge", "qprism-gate -s FILE")
	reads := o
	reads.Allow = nil
	expect("a gate that permits more", reads, "gate", doctor.Warning, "permits more", "qprism-gate read")
	must(t, s.Authorize("", string(key)))

	configure(`(?m)^params +(\S+)`, "params $1,JC_FILTER=1")
	expect("JC_FILTER", o, "params", doctor.Failing, "JC_FILTER")
	// two start; of the others the scheduler sees five, as they are of one kind, and clears the numbers of the rest
	for range 10 {
		_, err := m.Submit(master.Job{User: "usera"})
		must(t, err)
	}
	for range 5 { // a scheduler that is slow to hear of the change hides none in its first runs
		trigger(t, m)
		if text, err := m.Run("qstat", "-pri"); err == nil && strings.Contains(text, "0.00000") {
			break
		}
	}
	expect("JC_FILTER, with which the scheduler hides jobs", reads, "audit", doctor.Healthy, "numbers of the master agree")
	expect("JC_FILTER where nothing is pushed", reads, "params", doctor.Healthy, "matters only for \"qprism push\"")

}
