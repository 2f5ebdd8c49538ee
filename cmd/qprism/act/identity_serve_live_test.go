package act

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qprism/cmd/qprism/act/drive"
	"qprism/cmd/qprism/act/push"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
	"qprism/fixtures/sshd"
)

// A twinSite is two real masters of one name with jobs of the same numbers, each behind a real ssh server,
// and a folder for the configuration of serve.
type twinSite struct {
	a, b     *room
	aServer  *sshd.Server
	bServer  *sshd.Server
	dir      string
	d        *cli.Deps
	wanted   []string // A's jobs in the order that is pushed
	before   map[string]string
	bDetails string // all of B's jobs, to the letter
}

func newTwinSite(t *testing.T) *twinSite {
	t.Helper()
	a, b := twins(t)
	s := &twinSite{a: a, b: b, aServer: sshTo(t, a.Master, ""), bServer: sshTo(t, b.Master, ""), dir: t.TempDir()}
	s.d = &cli.Deps{Store: filepath.Join(s.dir, "store.db"), Format: "table"}
	s.wanted, s.before = a.listed(t)
	slices.Reverse(s.wanted)
	must(t, os.WriteFile(filepath.Join(s.dir, "a.order"), []byte(strings.Join(s.wanted, "\n")+"\n"), 0o600))
	order, _ := b.listed(t)
	must(t, os.WriteFile(filepath.Join(s.dir, "b.order"), []byte(strings.Join(order, "\n")+"\n"), 0o600))
	for name, server := range map[string]*sshd.Server{"a": s.aServer, "b": s.bServer} {
		ssh, err := os.ReadFile(filepath.Join(server.Home, ".ssh", "config"))
		must(t, err)
		ssh = fmt.Appendf(ssh, "  IdentityFile %[1]s/.ssh/id_ed25519\n  UserKnownHostsFile "+
			"%[1]s/.ssh/known_hosts\n", server.Home)
		must(t, os.WriteFile(filepath.Join(s.dir, name+".ssh"), ssh, 0o600))
	}
	s.bDetails = s.detailsOfB(t)
	return s
}

// detailsOfB is what B's master says of every job, to the job's version, which counts each qalter.
func (s *twinSite) detailsOfB(t *testing.T) string {
	t.Helper()
	text, err := s.b.Master.Run("qstat", "-j", "*")
	must(t, err)
	text, _, _ = strings.Cut(text, "scheduling info:")
	return text
}

// untouched fails where anything of B has changed.
func (s *twinSite) untouched(t *testing.T, when string) {
	t.Helper()
	if now := s.detailsOfB(t); now != s.bDetails {
		t.Errorf("%s: B's jobs have changed:\n%s", when, firstChange(s.bDetails, now))
	}
}

// config writes a configuration of some of the two clusters: A's jobs are to be in another order, B's stay in theirs.
func (s *twinSite) config(t *testing.T, clusters string) string {
	t.Helper()
	text := "store: {file: store.db}\nhealth: 127.0.0.1:0\nstop_within: 10s\nclusters:\n"
	for _, name := range strings.Split(clusters, "") {
		text += fmt.Sprintf("  %[1]s:\n    from: master\n    ssh_config: %[1]s.ssh\n    allow: push\n   "+
			" capture: {at: '@every 2s', slow: 20s}\n"+
			"    push: {at: '@every 1s', order: %[1]s.order, await: 40s, lock_dir: %[2]s/%[1]s.locks}\n", name, s.dir)
	}
	file := filepath.Join(s.dir, "qprism.yaml")
	must(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// reaches are options of a push over SSH to one of the two.
func (s *twinSite) reaches(server *sshd.Server, o push.Options) push.Options {
	o.Reach = sshReach(server)
	o.LockDir = filepath.Join(s.dir, "locks")
	return o
}

// TestServeNeverFinishesThePushOfTheOtherOfTwoRealMastersOfOneName: while the first awaits its scheduler
// run the second pushes on and on; serve is killed (SIGKILL), and a serve of the second alone, which finds
// the first's push open in its store, leaves it; a serve of both finishes it on the first. Not one qalter
// reaches the second.
func TestServeNeverFinishesThePushOfTheOtherOfTwoRealMastersOfOneName(t *testing.T) {
	sshd.Require(t)
	t.Parallel()
	s := newTwinSite(t)
	both := s.config(t, "ab")
	first := startServe(t, both)
	first.await(t, `waiting for the next scheduler run.* cluster=a`, 1)
	first.await(t, `msg=done cluster=b task=push .*orders=0`, 2)
	must(t, first.cmd.Process.Kill())
	<-first.done
	open := openPushes(t, s.d)
	if len(open) != 1 || open[0].Identity.Root != s.a.Root {
		t.Fatalf("open are %+v", open)
	}
	s.untouched(t, "A's push is cut")

	second := startServe(t, s.config(t, "b"))
	second.await(t, `msg=done cluster=b task=push .*orders=0`, 2)
	second.stop(t)
	if strings.Contains(second.log(), "left unfinished") || strings.Contains(second.log(), "level=ERROR") {
		t.Errorf("the serve of B says\n%s", second.log())
	}
	if still := openPushes(t, s.d); len(still) != 1 || still[0].ID != open[0].ID {
		t.Errorf("open are %+v", still)
	}
	s.untouched(t, "serve of B alone")

	third := startServe(t, s.config(t, "ab"))
	third.await(t, `a push was not finished: it is finished.* cluster=a`, 1)
	third.await(t, `msg=done cluster=b task=push .*orders=0`, 1)
	third.await(t, `waiting for the next scheduler run.* cluster=a`, 1)
	trigger(t, s.a.Master)
	third.await(t, `msg=done cluster=a task=recover .*agrees=true`, 1)
	third.stop(t)
	if order, _ := s.a.listed(t); !slices.Equal(order, s.wanted) {
		t.Errorf("A's order is %v, wanted %v", order, s.wanted)
	}
	s.untouched(t, "A's push is finished")
	if left := openPushes(t, s.d); len(left) != 0 {
		t.Errorf("open are %+v", left)
	}
}

// TestNothingReachesTheOtherOfTwoRealMastersOverSSH: a bundle, undo, release and a driven job's hold, each
// through a real ssh server that leads to the other one, with the alias, the account and the numbers that
// are right.
func TestNothingReachesTheOtherOfTwoRealMastersOverSSH(t *testing.T) {
	sshd.Require(t)
	t.Parallel()
	s := newTwinSite(t)
	order := filepath.Join(s.dir, "a.order")
	refused := func(what string, o push.Options, bundle []string) {
		t.Helper()
		said, err := s.b.run(s.d, nil, s.reaches(s.bServer, o), bundle)
		if err == nil || !strings.Contains(err.Error()+said, "its root folder (SGE_ROOT, PBS_HOME) is "+s.b.Root) {
			t.Errorf("%s: %v\n%s", what, err, said)
		}
		s.untouched(t, what)
	}
	refused("a bundle of A pushed to B", push.Options{Order: order, Apply: true}, s.a.bundle(t))
	if said, err := s.a.run(s.d, nil, s.reaches(s.aServer, push.Options{Order: order, Apply: true}),
		s.a.bundle(t)); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for what, o := range map[string]push.Options{"undo": {Undo: true, Apply: true},
		"undo of that push": {Undo: true, ID: 1, Apply: true},
		"release":           {Release: true, Apply: true}} {
		refused(what, o, nil)
	}
	if said, err := s.a.run(s.d, nil, s.reaches(s.aServer, push.Options{Release: true, Apply: true}), nil); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	s.a.asTheyWere(t, s.before, "released")
	s.untouched(t, "A's release")

	rules := notNow(t)
	driveAt := func(server *sshd.Server, r *room, change func(*drive.Options)) (string, error) {
		o := s.reaches(server, push.Options{})
		_, said, err := r.drive(&cli.Deps{Store: s.d.Store, Format: "json"}, nil, func(v *drive.Options) {
			v.Own, v.Rules, v.Reach, v.LockDir = []string{"all"}, rules, o.Reach, o.LockDir
			change(v)
		})
		return said, err
	}
	if said, err := driveAt(s.aServer, s.a, func(*drive.Options) {}); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	release := func(v *drive.Options) { v.Release = true }
	if said, err := driveAt(s.bServer, s.b, release); err == nil || !strings.Contains(err.Error(), "its root folder") {
		t.Errorf("release of A's drive at B: %v\n%s", err, said)
	}
	s.untouched(t, "release of A's drive")
	if open := openDrives(t, s.d); len(open) != 1 || len(open[0].Claims) == 0 || open[0].Claims[0].Whose == "" ||
		open[0].Identity.Root != s.a.Root {
		t.Fatalf("driven are %+v", open)
	}
	if said, err := driveAt(s.aServer, s.a, release); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	if h := s.a.inState(t, "ho"); len(h) > 0 {
		t.Errorf("held are %v", h)
	}
}

// TestADriveLeavesAJobOfARealMasterAloneThatHasTheNumberNow: the claim is of a job of that number that was
// submitted before.
func TestADriveLeavesAJobOfARealMasterAloneThatHasTheNumberNow(t *testing.T) {
	sshd.Require(t)
	t.Parallel()
	r := waiting(t, "user0")
	d := newStore(t, "json")
	rules := notNow(t)
	if _, said, err := r.drive(d, r, func(o *drive.Options) { o.Own, o.Rules = []string{"all"}, rules }); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	held := r.inState(t, "ho")
	open := openDrives(t, d)
	if len(held) < 2 || len(open) != 1 {
		t.Fatalf("held are %v, driven %+v", held, open)
	}
	store, err := subject.MakeStore(d)
	must(t, err)
	var of []model.Claim
	for _, c := range open[0].Claims {
		if c.Job == held[0] {
			c.Whose = "user0 1000000000"
			of = append(of, c)
		}
	}
	must(t, store.SaveDrive(t.Context(), open[0].ID, of))
	must(t, store.Close())
	_, said, err := r.drive(d, r, func(o *drive.Options) { o.Own, o.Release = []string{"all"}, true })
	must(t, err)
	if now := r.inState(t, "ho"); !slices.Equal(now, held[:1]) ||
		!strings.Contains(said, "another job has the number now: "+held[0]+" belongs to user0, submitted ") {
		t.Errorf("held are %v\n%s", now, said)
	}
}
