package act

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"qprism/fixtures/master"
	"slices"
	"strings"
	"syscall"
	"testing"

	"qprism/cmd/qprism/act/control"
	"qprism/cmd/qprism/act/push"
	"qprism/cmd/qprism/cli"
	"qprism/fixtures/sshd"
)

// TestARealPushIsRefusedBeforeItSendsAnything: each time the words say why and what to do, no -p has
// changed, and no push is stored.
func TestARealPushIsRefusedBeforeItSendsAnything(t *testing.T) {
	sshd.Require(t)
	t.Parallel()
	l := newFaultLab(t, 40)
	for _, step := range []struct {
		name string
		test func(*testing.T, *faultLab)
	}{
		{"a user who is neither manager nor operator", refusedWithoutRights},
		{"a key that may only read", refusedByGate},
		{"a changed host key", refusedWithChangedHostKey},
		{"another administrator's push", refusedWhileAnotherPushes},
		{"a stop file, and too many changes", refusedByLimits},
		{"a full disk", storedOrRefusedOnAFullDisk},
		{"a key that may push", pushedThroughGate},
		{"a verifier of jobs", refusedByVerifier},
		{"another controller's -p", noticesAnotherController},
	} {
		t.Run(step.name, func(t *testing.T) {
			step.test(t, l)
			trigger(t, l.Master)
		})
	}
}

// refused pushes, and sees that nothing came of it but words.
func (l *faultLab) refused(t *testing.T, o push.Options, says ...string) (told string) {
	t.Helper()
	d := newStore(t, "table")
	host := &faultyHost{reach: o.Reach}
	o.From, o.Order, o.Apply = "", l.file, true
	_, err := l.run(d, host, o, l.bundle(t))
	if err == nil {
		t.Fatal("it is not refused")
	}
	for _, text := range says {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("got %v, want it to say %q", err, text)
		}
	}
	t.Log(err)
	l.asTheyWere(t, l.restored, "refused")
	if list := allPushes(t, d); len(list) > 0 {
		t.Errorf("%d pushes are stored", len(list))
	}
	l.consistent(t, d)
	return host.told.String()
}

// authorize makes the client's key good for one command only.
func (l *faultLab) authorize(t *testing.T, options string) {
	t.Helper()
	key, err := os.ReadFile(filepath.Join(l.server.Home, ".ssh", "id_ed25519.pub"))
	must(t, err)
	must(t, l.server.Authorize(options, string(key)))
	t.Cleanup(func() { must(t, l.server.Authorize("", string(key))) })
}

func refusedWithoutRights(t *testing.T, l *faultLab) {
	l.authorize(
		t, `command="exec setpriv --reuid=user1 --regid=users --clear-groups -- /bin/sh -c \"$SSH_ORIGINAL_COMMAND\""`)
	told := l.refused(t, l.over(), "refused: user1 is not a manager or operator", "qconf -ao user1")
	if n := strings.Count(told, "wqconf\nw-sm\n"); n != 1 || strings.Contains(told, "wqalter") {
		t.Errorf("asked %d times:\n%s", n, told)
	}
}

// gateOf is the forced command of a key, in a mode, and its log.
func (l *faultLab) gateOf(t *testing.T, mode string) (options, log string) {
	t.Helper()
	script, err := filepath.Abs("../../../scripts/qprism-gate")
	must(t, err)
	log = filepath.Join(l.server.Dir, "gate-"+mode+".log")
	return fmt.Sprintf(`restrict,command="%s -l %s %s"`, script, log, mode), log
}

func refusedByGate(t *testing.T, l *faultLab) {
	options, log := l.gateOf(t, "read")
	l.authorize(t, options)
	told := l.refused(t, l.over(), "refused: the key is read-only", "mode order permits push")
	text, err := os.ReadFile(log)
	must(t, err)
	if strings.Contains(told, "wqalter") || !strings.Contains(string(text), "refused: [ [qprism-lock]") {
		t.Errorf("the gate's log is\n%s", text)
	}
}

// pushedThroughGate pushes and takes back with a key that may no more; the gate logs every order.
func pushedThroughGate(t *testing.T, l *faultLab) {
	options, log := l.gateOf(t, "order")
	l.authorize(t, options)
	d := newStore(t, "table")
	if _, err := l.apply(t, d, l.over(), 0, nil); err != nil {
		t.Fatal(err)
	}
	if order, _ := l.listed(t); !slices.Equal(order, l.wanted) {
		t.Errorf("the order is %v, wanted %v", order, l.wanted)
	}
	l.undone(t, d)
	text, err := os.ReadFile(log)
	must(t, err)
	if n := strings.Count(string(text), "runs: [qalter] [-p]"); n < 5 || strings.Contains(string(text), "refused") {
		t.Errorf("%d calls of qalter:\n%s", n, text)
	}
}

// refusedWithChangedHostKey: the words hold the fingerprint that ssh-keygen prints, and a command that accepts it.
func refusedWithChangedHostKey(t *testing.T, l *faultLab) {
	s := l.server
	must(t, errors.Join(s.Stop(), s.ChangeHostKey(), s.Start()))
	out, err := exec.Command("ssh-keygen", "-lf", filepath.Join(s.Dir, "host_key.pub")).Output()
	must(t, err)
	d, o := newStore(t, "table"), l.over()
	l.refused(t, o, "has changed", strings.Fields(string(out))[1], "ssh-keygen -f ")
	_, err = l.apply(t, d, o, 0, nil)
	if err == nil {
		t.Fatal("it is not refused")
	}
	said, _, _ := strings.Cut(err.Error(), "known_hosts\n")
	command := said[strings.Index(said, "ssh-keygen -f "):] + "known_hosts"
	if out, err := exec.Command("sh", "-c", command).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	if _, err := l.apply(t, d, o, 0, nil); err != nil {
		t.Errorf("after the command it is refused still: %v", err)
	}
	l.undone(t, d)
}

// refusedWhileAnotherPushes: another administrator, with a store of his own, pushes over the same host.
func refusedWhileAnotherPushes(t *testing.T, l *faultLab) {
	mine, his := newStore(t, "table"), ""
	if _, err := l.apply(t, mine, l.over(), 3, func() error {
		o := l.over()
		host := &faultyHost{reach: o.Reach}
		o.From, o.Order, o.Apply, o.By = "", l.file, true, "root@elsewhere:1"
		d := newStore(t, "table")
		_, err := l.run(d, host, o, l.bundle(t))
		his = fmt.Sprint(err)
		if strings.Contains(host.told.String(), "wqalter") || len(allPushes(t, d)) > 0 {
			return errors.New("the other push was sent too")
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	t.Log(his)
	if own, _, _ := strings.Cut(control.ThisProcess(), ":"); !strings.Contains(his, "refused: "+own) ||
		!strings.Contains(his, "has the lock of this cluster") {
		t.Errorf("the other one is told %s", his)
	}
	l.undone(t, mine)
}

func refusedByLimits(t *testing.T, l *faultLab) {
	o := l.over()
	o.StopFile = filepath.Join(t.TempDir(), "stop")
	must(t, os.WriteFile(o.StopFile, nil, 0o600))
	if told := l.refused(t, o, "the stop file "+o.StopFile+" exists"); told != "" {
		t.Errorf("the host was told %q", told)
	}
	o = l.over()
	o.MaxChanges = 2
	if told := l.refused(t, o, "but --max-changes allows 2"); told != "" {
		t.Errorf("the host was told %q", told)
	}
}

// verify lets the master verify jobs, and alter only what a list names; with none it verifies nothing.
func (l *faultLab) verify(allowed string) error {
	script := filepath.Join(l.Root, "jsv.sh")
	const accept = "#!/bin/sh\nwhile read -r word rest; do case $word in START) echo STARTED ;; BEGIN) " +
		"echo RESULT STATE ACCEPT ;; QUIT) exit ;; esac; done\n"
	url := "script:" + script
	if allowed == "none" {
		url = "none"
	}
	if err := os.WriteFile(script, []byte(accept), 0o755); err != nil {
		return err
	}
	return setVerifier(l.Master, url, allowed)
}

func setVerifier(m *master.Master, url, allowed string) error {
	_, err := m.Run("sh", "-c", `f=$(mktemp -d)/global
		qconf -sconf | sed -e "s|^jsv_url.*|jsv_url $1|" -e "s/^jsv_allowed_mod.*/jsv_allowed_mod $2/" >"$f"; qconf -Mconf "$f"`, "sh", url, allowed)
	return err
}

// refusedByVerifier: a master with a job submission verifier lets nobody alter what jsv_allowed_mod does
// not name. (It runs the verifier itself for new jobs alone, see sge_gdi_add_job and jsv_is_modify_rejected
// in its sources.)
func refusedByVerifier(t *testing.T, l *faultLab) {
	must(t, l.verify("ac,h"))
	t.Cleanup(func() { must(t, l.verify("none")) })
	if told := l.refused(t, l.over(), "jsv_allowed_mod lacks p"); told != "" {
		t.Errorf("the host was told %q", told)
	}
	must(t, l.verify("none"))
	d := newStore(t, "table")
	_, err := l.apply(t, d, l.over(), 3, func() error { return l.verify("ac,h") })
	t.Log(err)
	if err == nil || !strings.Contains(err.Error(), "the master refused 8 of 10 orders") ||
		!strings.Contains(err.Error(), "rejected due to jsv_allowed_mod configuration") {
		t.Errorf("got %v", err)
	}
	must(t, l.verify("none"))
	l.undone(t, d)
}

// noticesAnotherController: somebody else alters a job during the push, after its order was carried out.
// That is a refusal in the report, and an error.
func noticesAnotherController(t *testing.T, l *faultLab) {
	d := newStore(t, "table")
	var job string
	_, err := l.apply(t, d, l.over(), 3, func() error {
		job = allPushes(t, d)[0].Orders[0].Job
		_, err := l.Master.Run("qalter", "-p", "-77", job)
		return err
	})
	t.Log(err)
	if err == nil || !strings.Contains(err.Error(), "the master refused 1 of 10 orders") ||
		!strings.Contains(err.Error(), "the master accepted the change, but priority is -77") {
		t.Errorf("got %v", err)
	}
	o := l.over()
	o.Undo, o.Apply = true, true
	l.push(t, d, o, false)
	if _, p := l.listed(t); p[job] != "-77" {
		t.Errorf("job %s has -p %s by now: what somebody else set is not to be touched", job, p[job])
	}
	_, err = l.Master.Run("qalter", "-p", l.restored[job], job)
	must(t, err)
	l.asTheyWere(t, l.restored, "undone")
}

// storedOrRefusedOnAFullDisk leaves less and less room for the store: each time the push is refused, or can
// be finished or taken back when there is room again.
func storedOrRefusedOnAFullDisk(t *testing.T, l *faultLab) {
	dir := smallDisk(t)
	refused, interrupted := 0, 0
	for room := int64(16 << 10); ; room += 24 << 10 {
		d := &cli.Deps{Store: filepath.Join(dir, "store", "store.db"), Format: "table"}
		isEmpty(t, d)
		fill := filepath.Join(dir, "fill")
		must(t, fillUp(fill, room))
		_, err := l.apply(t, d, l.over(), 0, nil)
		must(t, os.Remove(fill))
		t.Logf("%d KiB: %v", room>>10, err)
		list := allPushes(t, d)
		isWhole(t, d.Store)
		switch {
		case len(list) == 0:
			refused++
			if _, p := l.listed(t); err == nil || !maps.Equal(p, l.restored) {
				t.Fatalf("nothing is stored, but the priorities are %v: %v", p, err)
			}
			must(t, os.RemoveAll(filepath.Dir(d.Store)))
			continue
		case err != nil:
			interrupted++
			if list[0].Open() && interrupted%2 == 1 {
				l.resumed(t, d)
			}
		}
		l.undone(t, d)
		must(t, os.RemoveAll(filepath.Dir(d.Store)))
		if err == nil {
			break
		}
	}
	t.Logf("%d refused, %d interrupted", refused, interrupted)
	if refused == 0 || interrupted == 0 {
		t.Error("the disk was not full at enough moments")
	}
}

// isEmpty makes a store without pushes.
func isEmpty(t *testing.T, d *cli.Deps) {
	t.Helper()
	if list := allPushes(t, d); len(list) > 0 {
		t.Fatalf("the store has %d pushes", len(list))
	}
}

// smallDisk is a file system of its own in memory. Where none may be mounted it is /dev/shm, which is small
// in a container.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	err := syscall.Mount("none", dir, "tmpfs", 0, "size=1500k")
	if err == nil {
		t.Cleanup(func() { must(t, syscall.Unmount(dir, 0)) })
		return dir
	}
	const most = 256 << 20
	var shm syscall.Statfs_t
	if syscall.Statfs("/dev/shm", &shm) != nil || shm.Blocks*uint64(shm.Bsize) > most {
		t.Fatalf("no small file system for the test: %v, and /dev/shm has more than %d MiB", err, most>>20)
	}
	dir, err = os.MkdirTemp("/dev/shm", "qprism-")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// fillUp fills a file system but for some bytes.
func fillUp(file string, but int64) error {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(filepath.Dir(file), &fs); err != nil {
		return err
	}
	return os.WriteFile(file, make([]byte, max(0, int64(fs.Bavail)*fs.Bsize-but)), 0o600)
}
