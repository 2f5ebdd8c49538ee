package next

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"qprism/cmd/qprism/queue"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/forecast"
	"qprism/engine/gridengine/lastrun"
	"qprism/fixtures/archive"
	pbsfiles "qprism/importer/pbs"
)

// An answers is what the commands say of each job, as JSON, and what they take for granted.
type answers struct {
	why, start, rank map[string]map[string]any
	assumed          []string
}

// answersOf asks why, forecast and priorities about all jobs.
func answersOf(t *testing.T, s *subject.Subject) *answers {
	t.Helper()
	a := &answers{why: map[string]map[string]any{},
		start: map[string]map[string]any{}, rank: map[string]map[string]any{}, assumed: s.Assumptions()}
	at, err := s.Moment()
	if err != nil {
		t.Fatal(err)
	}
	p := s.Batch.Plan(at.At)
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if j.PBS.Array != "" {
			continue
		}
		a.why[j.PBS.ID] = decoded(t, a.assumed, func(b *bytes.Buffer) error {
			return show.Output{W: b, Format: "json"}.JSON(whyNot(s, p, j, 0).json(s, p))
		})
	}
	f := s.Batch.Forecast(forecast.Options{At: at.At})
	all := decoded(t, a.assumed, func(b *bytes.Buffer) error { return writeForecast(b, s, at, f) })
	a.keep(a.start, all["starts"])
	a.keep(a.start, all["never"])
	all = decoded(t, a.assumed, func(b *bytes.Buffer) error {
		return queue.PrintPriorities(show.Output{W: b, Format: "json"}, s, queue.PrioritiesOptions{View: "pri"})
	})
	a.keep(a.rank, all["jobs"])
	return a
}

// decoded is an answer in JSON, which has to say all that is assumed.
func decoded(t *testing.T, assumed []string, write func(*bytes.Buffer) error) map[string]any {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(b.Bytes(), &m); err != nil {
		t.Fatal(err)
	}
	said, _ := m["assumed"].([]any)
	if len(said) != len(assumed) {
		t.Fatalf("the answer says %v of what is assumed: %v", said, assumed)
	}
	return m
}

// keep keeps the members of a list by job; queue times are shown to managers alone with their fraction of a second.
func (a *answers) keep(to map[string]map[string]any, list any) {
	members, _ := list.([]any)
	for _, m := range members {
		m, _ := m.(map[string]any)
		id, _ := m["job"].(string)
		delete(m, "queued")
		to[id] = m
	}
}

// unknown are the members of an answer in which a user's answer says that it does not know whether the job can ever run, and those that
// follow from that.
var unknown = []string{"assumed", "never", "never_because", "never_lacks", "hosts", "holders", "ahead", "helps"}

// differs reports whether a user's answer differs from root's beyond what it says not to know.
func differs(root, user map[string]any) bool {
	for name := range union(root, user) {
		if slices.Contains(unknown[:4], name) || root["never"] == true && slices.Contains(unknown, name) {
			continue
		}
		if !reflect.DeepEqual(root[name], user[name]) {
			return true
		}
	}
	return false
}

func union(a, b map[string]any) map[string]bool {
	m := map[string]bool{}
	for name := range a {
		m[name] = true
	}
	for name := range b {
		m[name] = true
	}
	return m
}

// TestAnOrdinaryUserIsToldWhatRootIs has a queue of a real OpenPBS 23.06.06, most of it of one user who captured it as root did: limits,
// arrays, holds, dependencies, exclusive and scattered placement, a formula, requests that never fit. Why, forecast and priorities say the
// same of each of his jobs, but for what the user's answers say that they do not know: whether a job can ever run, limits on groups, the
// order of suspended jobs, and the policy of sched_config.
func TestAnOrdinaryUserIsToldWhatRootIs(t *testing.T) {
	data, err := os.ReadFile("../../../fixtures/pbs/users/alice.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	files, err := archive.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	for step, because := range map[string]string{
		"installed": "", "formula": "", "groups": "qprism ignores limits on groups", "preempted": "they tie",
		"policy": "sched_config is not in the bundle",
	} {
		user := subjectOf(t, files, step+"/user", nil)
		root := subjectOf(t, files, step+"/root", user)
		r, u := answersOf(t, root), answersOf(t, user)
		jobs, other, cannot := 0, 0, 0
		for i := range root.Jobs {
			j := &root.Jobs[i]
			if id := j.PBS.ID; j.Owner == "alice" && j.PBS.Array == "" {
				jobs++
				if differs(r.why[id], u.why[id]) || differs(r.start[id], u.start[id]) || differs(r.rank[id], u.rank[id]) {
					other++
					if because == "" {
						t.Errorf("%s, job %s\nroot %v\n%v\n%v\n"+
							"user %v\n%v\n%v", step, id, r.why[id], r.start[id], r.rank[id], u.why[id], u.start[id], u.rank[id])
					}
				}
				if lacks, _ := u.why[id]["never_lacks"].([]any); len(lacks) > 0 {
					cannot++
				} else if r.why[id]["never"] == true {
					t.Errorf("%s, job %s: root is told that it never runs, and the user's answer does not say that it does not know", step, id)
				}
			}
		}
		t.Logf("%s: %d jobs, %d with another answer, %d of which nobody but root can know whether they ever run", step, jobs, other, cannot)
		if jobs < 60 || !strings.Contains(strings.Join(u.assumed, "\n"), because) || len(r.assumed) > 0 {
			t.Errorf("%s: %d jobs; the user is told to assume %q, root %q", step, jobs, u.assumed, r.assumed)
		}
	}
}

// subjectOf is a bundle at the moment of another one, or its own.
func subjectOf(t *testing.T, files fs.FS, folder string, at *subject.Subject) *subject.Subject {
	t.Helper()
	bundle, err := fs.Sub(files, folder)
	if err != nil {
		t.Fatal(err)
	}
	s, err := pbsfiles.Read(bundle, pbsfiles.Options{})
	if err != nil {
		t.Fatal(err)
	}
	opts := lastrun.Options{At: s.TakenAt}
	if at != nil {
		opts.At = at.TakenAt
	}
	return subject.NewSubject(s, subject.PBSRules, opts)
}
