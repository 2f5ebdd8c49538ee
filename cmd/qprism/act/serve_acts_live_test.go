package act

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"qprism/cmd/qprism/act/drive"
	"qprism/cmd/qprism/act/serve"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
	"qprism/fixtures/sshd"
)

// A visitor is a person at the page of a running serve.
type visitor struct {
	t      *testing.T
	client http.Client
	url    string
	name   string
	csrf   string
}

// acted is what the page says of acts.
type acted struct {
	Cluster string
	May     bool
	Kinds   []string
	CSRF    string
	Acts    []struct {
		ID                 int64
		By, Error, Outcome string
		Ended              *time.Time
	}
}

// ask sends something, and reads the answer.
func (v *visitor) ask(method, path, body string, to any) int {
	v.t.Helper()
	r, err := http.NewRequest(method, v.url+path, strings.NewReader(body))
	must(v.t, err)
	r.SetBasicAuth(v.name, "secret")
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-CSRF-Token", v.csrf)
	answer, err := v.client.Do(r)
	must(v.t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	must(v.t, err)
	if answer.StatusCode < 300 {
		must(v.t, json.Unmarshal(text, to))
	} else {
		v.t.Logf("%s %s: %d %s", method, path, answer.StatusCode, text)
	}
	return answer.StatusCode
}

// acts asks what may be changed, and what was.
func (v *visitor) acts() (a acted) {
	v.t.Helper()
	if code := v.ask("GET", "api/v1/acts", "", &a); code != 200 {
		v.t.Fatal(code)
	}
	v.csrf = a.CSRF
	return a
}

// plan is what an act would send, and the ticket to have it sent.
func (v *visitor) plan(act string) (ticket, refused string, commands [][]string) {
	v.t.Helper()
	var p struct {
		Ticket, Refused string
		Commands        [][]string
	}
	if code := v.ask("POST", "api/v1/acts/plan", act, &p); code != 200 {
		v.t.Fatal(code)
	}
	return p.Ticket, p.Refused, p.Commands
}

// do has a plan sent, and waits for the end.
func (v *visitor) do(ticket string) (by, outcome, failed string) {
	v.t.Helper()
	var begun struct{ ID int64 }
	if code := v.ask("POST", "api/v1/acts/do", `{"ticket":"`+ticket+`"}`, &begun); code != http.StatusAccepted {
		v.t.Fatal(code)
	}
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if last := v.acts().Acts[0]; last.ID == begun.ID && last.Ended != nil {
			return last.By, last.Outcome, last.Error
		}
	}
	v.t.Fatal("the act does not end")
	return
}

// TestThePageChangesARealMaster through serve, over a real sshd: a job is put first with just the commands
// that were shown, the push is taken back, the trail says who; a plan that somebody else's change has made
// another one is not sent; who is not named may not.
func TestThePageChangesARealMaster(t *testing.T) {
	sshd.Require(t)
	t.Parallel()
	r := waiting(t, "user0")
	config := configFor(t, sshTo(t, r.Master, ""),
		"    allow: [push, drive]\n    capture: {at: '@every 9999h', slow: 20s}\n    push: {at: '@every "+
			"9999h', policy: fairshare, await: 60s, lock_dir: LOCKS}\n"+
			"listen: {listen: '127.0.0.1:0', users_file: users, acts: [anna]}\n")
	hash, err := bcrypt.GenerateFromPassword([]byte("secret"), bcrypt.MinCost)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(filepath.Dir(config), "users"),
		fmt.Appendf(nil, "anna:%[1]s\nben:%[1]s\n", hash), 0o600))
	s := startServe(t, config)
	out, err := capturedOnce(config)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	jar, err := cookiejar.New(nil)
	must(t, err)
	anna := &visitor{t: t, client: http.Client{Jar: jar, Timeout: 2 * time.Minute}, name: "anna",
		url: regexp.MustCompile(`http://[0-9.:]+/`).FindString(s.await(t, "msg=page", 1))}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() { // the scheduler runs now and then
		for ctx.Err() == nil {
			_, _ = r.Trigger()
			time.Sleep(2 * time.Second)
		}
	}()
	a := anna.acts()
	order, before := r.listed(t)
	last := order[len(order)-1]
	first := fmt.Sprintf(`{"cluster":%q,"kind":"first","jobs":[%q]}`, a.Cluster, last)
	ben := &visitor{t: t, client: anna.client, url: anna.url, name: "ben", csrf: a.CSRF}
	if b := ben.acts(); b.May || b.CSRF != "" {
		t.Errorf("ben may: %+v", b)
	}
	ben.csrf = a.CSRF
	if code := ben.ask("POST", "api/v1/acts/plan", first, nil); code != http.StatusForbidden {
		t.Error("ben:", code)
	}

	ticket, refused, commands := anna.plan(first)
	if _, now := r.listed(t); refused != "" || len(commands) == 0 || !maps.Equal(now, before) {
		t.Fatalf("refused %q, commands %v; -p %v, before %v", refused, commands, now, before)
	}
	by, outcome, failed := anna.do(ticket)
	if now, _ := r.listed(t); failed != "" || now[0] != last || by != "anna (page)" ||
		!strings.HasPrefix(outcome, "1 confirmed") {
		t.Errorf("%s: %s %s; the order is %v, %s was to be first", by, outcome, failed, now, last)
	}
	if trail := trailOf(t, config); !strings.HasPrefix(trail, "anna (page) by ") {
		t.Errorf("push 1 is by %q", trail)
	}

	undo := fmt.Sprintf(`{"cluster":%q,"kind":"undo","push":1}`, a.Cluster)
	_, pushed := r.listed(t)
	ticket, _, commands = anna.plan(undo)
	_, err = r.Master.Run("qalter", "-p", "77", last) // somebody else
	must(t, err)
	if _, _, failed := anna.do(ticket); !strings.Contains(failed, "has changed since the preview") {
		t.Errorf("%v was sent to what has changed: %q", commands, failed)
	}
	_, err = r.Master.Run("qalter", "-p", pushed[last], last)
	must(t, err)
	ticket, _, commands = anna.plan(undo)
	if _, outcome, failed := anna.do(ticket); failed != "" {
		t.Errorf("%v: %s %s", commands, outcome, failed)
	}
	r.asTheyWere(t, before, "not sent")
	r.givenBackOnThePage(t, anna, config, a.Cluster)
	s.stop(t)
	if log := s.log(); !strings.Contains(log, `msg="asked for on the page" by="anna (page)"`) ||
		strings.Contains(log, "secret") {
		t.Error("the log does not say who asked for what")
	}
}

// givenBackOnThePage: what a drive holds is given back with the commands that were shown, but not where
// somebody has changed one of its jobs since; who asked is kept with the drive.
func (r *room) givenBackOnThePage(t *testing.T, anna *visitor, config, cluster string) {
	t.Helper()
	d := &cli.Deps{Store: filepath.Join(filepath.Dir(config), "store.db"), Format: "json"}
	waits := r.inState(t, "p")
	was := r.described(t, waits)
	_, said, err := r.drive(d, r, func(o *drive.Options) {
		o.Own, o.Rules, o.LockDir, o.Given = []string{"all"}, notNow(t), filepath.Dir(config), cluster
	})
	if held := r.inState(t, "ho"); err != nil || len(held) != len(waits) {
		t.Fatalf("%v of %v are held: %v %s", held, waits, err, said)
	}
	act := fmt.Sprintf(`{"cluster":%q,"kind":"give_back"}`, cluster)
	ticket, refused, commands := anna.plan(act)
	if refused != "" || len(commands) == 0 || len(r.inState(t, "ho")) != len(waits) {
		t.Fatalf("refused %q, commands %v", refused, commands)
	}
	_, err = r.Master.Run("qdel", waits[0])
	must(t, err)
	if _, _, failed := anna.do(ticket); !strings.Contains(failed, "has changed since the preview") ||
		len(r.inState(t, "ho")) != len(waits)-1 {
		t.Errorf("%v was sent to what has changed: %q", commands, failed)
	}
	ticket, _, commands = anna.plan(act)
	_, outcome, failed := anna.do(ticket)
	now := r.described(t, waits[1:])
	for job, text := range now {
		if text != was[job] {
			t.Errorf("job %s is\n%s\nand was\n%s", job, text, was[job])
		}
	}
	if failed != "" || !strings.Contains(outcome, "restored, for anna (page)") {
		t.Errorf("%v: %s %s", commands, outcome, failed)
	}
	if _, refused, _ := anna.plan(act); !strings.Contains(refused, "controls no job") {
		t.Errorf("again: %q", refused)
	}
}

// capturedOnce captures as cron would.
func capturedOnce(config string) (string, error) {
	var log strings.Builder
	err := serve.Once(context.Background(), &cli.Deps{}, serve.Options{Config: config, Cluster: "live"}, "capture", &log)
	return log.String(), err
}

// trailOf says who the first push is by.
func trailOf(t *testing.T, config string) string {
	t.Helper()
	store, err := subject.OpenStore(&cli.Deps{Store: filepath.Join(filepath.Dir(config), "store.db")})
	must(t, err)
	defer store.Close()
	push, err := store.Push(t.Context(), 1)
	must(t, err)
	return push.By
}
