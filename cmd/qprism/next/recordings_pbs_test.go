package next

import (
	"bytes"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/queue"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/batch"
	"qprism/engine/forecast"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/engine/pbs"
	"qprism/exporter/svg"
	recordedpbs "qprism/fixtures/pbs"
	pbsfiles "qprism/importer/pbs"
)

// eachStepOfPBS calls check for the snapshot of every step of every recording of PBS.
func eachStepOfPBS(t *testing.T, check func(t *testing.T, name string, s *subject.Subject)) {
	t.Helper()
	steps := 0
	for _, scenario := range recordedpbs.Scenarios() {
		files, err := recordedpbs.Scenario(scenario)
		if err != nil {
			t.Fatal(err)
		}
		names, err := recordedpbs.Steps(files)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			bundle, err := fs.Sub(files, name)
			if err != nil {
				t.Fatal(err)
			}
			s, err := pbsfiles.Read(bundle, pbsfiles.Options{})
			if err != nil {
				t.Fatal(err)
			}
			steps++
			check(t, scenario+"/"+name, subject.NewSubject(s, subject.PBSRules, lastrun.Options{}))
		}
	}
	if steps < 134 {
		t.Errorf("only %d steps", steps)
	}
}

// TestEveryCommandAnswersOnEveryStepOfPBS lets all commands answer in all their formats.
func TestEveryCommandAnswersOnEveryStepOfPBS(t *testing.T) {
	eachStepOfPBS(t, func(t *testing.T, name string, s *subject.Subject) {
		if err := s.Batch.Lacks(false); err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		at, err := s.Moment()
		if err != nil {
			t.Fatal(err)
		}
		answers := func(command string, write func(b *bytes.Buffer) error) {
			var b bytes.Buffer
			if err := write(&b); err != nil || b.Len() == 0 {
				t.Errorf("%s: %s: %d bytes, %v", name, command, b.Len(), err)
			}
		}
		p := s.Batch.Plan(at.At)
		o := forecast.Options{At: at.At, MostRuns: 200}
		f := s.Batch.Forecast(o)
		for _, format := range []string{"table", "csv", "json"} {
			d := &cli.Deps{Format: format}
			out := func(b *bytes.Buffer) show.Output {
				return show.Output{W: b, Terminal: format == "table", Format: format}
			}
			answers("priorities", func(b *bytes.Buffer) error {
				return queue.PrintPriorities(d.Output(b), s, queue.PrioritiesOptions{View: "all", All: true})
			})
			answers("shares", func(b *bytes.Buffer) error { return queue.PrintShares(d.Output(b), s, batch.ShareView{}) })
			if format == "json" {
				answers("plan", func(b *bytes.Buffer) error { return writePlan(b, s, p, true) })
				answers("forecast", func(b *bytes.Buffer) error { return writeForecast(b, s, at, f) })
				continue
			}
			answers("plan", func(b *bytes.Buffer) error { return printPlan(out(b), s, at, p, true) })
			answers("forecast", func(b *bytes.Buffer) error { return printForecast(out(b), s, at, f, forecastOptions{all: true}) })
		}
		answers("picture", func(b *bytes.Buffer) error { return svg.Draw(b, s.Batch.Booked(p), s.Zone()) })
		answers("picture", func(b *bytes.Buffer) error { return svg.Draw(b, drawn(s, at.At, f, o), s.Zone()) })
	})
}

// TestEveryWaitingJobOfPBSHasAReason explains every job of every step: it runs, it starts, or there is a reason in words.
func TestEveryWaitingJobOfPBSHasAReason(t *testing.T) {
	jobs := 0
	eachStepOfPBS(t, func(t *testing.T, name string, s *subject.Subject) {
		p := s.Batch.Plan(s.TakenAt)
		for i := range s.Jobs {
			j, err := s.Batch.Find(s.Jobs[i].PBS.ID)
			if err != nil || strings.Contains("FXE", j.PBS.State) {
				continue // has ended
			}
			jobs++
			r := whyNot(s, p, j, 0)
			var b bytes.Buffer
			printWhy(show.Output{W: &b, Terminal: true, Format: "table"}, s, lastrun.Moment{At: s.TakenAt}, r, true)
			if strings.Contains(b.String(), "does not look at the job") || r.Decision != nil && len(r.General) == 0 {
				t.Errorf("%s %s (%s): %s", name, j.PBS.ID, j.PBS.State, b.String())
			}
			if _, err := show.Marshal(r.json(s, p)); err != nil {
				t.Error(err)
			}
		}
	})
	if jobs < 1000 {
		t.Errorf("only %d jobs", jobs)
	}
}

// TestRanksAreTheOrderOfThePlan holds priorities against the plan: the jobs that it tries, in its order.
func TestRanksAreTheOrderOfThePlan(t *testing.T) {
	eachStepOfPBS(t, func(t *testing.T, name string, s *subject.Subject) {
		var tried, ranked []string
		for _, d := range s.Batch.Plan(s.TakenAt).Decisions {
			if id := model.PBSArrayOf(d.ID); (d.Tried || pbs.Strictly(&d)) && !slices.Contains(tried, id) {
				tried = append(tried, id)
			}
		}
		a, err := s.Batch.Ranking("pri")
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range a.Jobs {
			if r.Rank > 0 {
				if ranked = append(ranked, r.PBS.ID); r.Rank != i+1 {
					t.Errorf("%s: %s has rank %d at place %d", name, r.PBS.ID, r.Rank, i+1)
				}
			}
		}
		if !slices.Equal(tried, ranked) {
			t.Errorf("%s: ranked %v, tried %v", name, ranked, tried)
		}
	})
}

func TestIDsOfPBS(t *testing.T) {
	array := model.Decision{ID: "12[].srv", Verdict: model.Now, Tasks: []model.Range{{Min: 1, Max: 3, Step: 1}, {Min: 5, Max: 9, Step: 2}}}
	for want, d := range map[string]model.Decision{
		"12.srv": {ID: "12.srv"}, "12[1-3,5-9:2].srv": array, "12[].srv": {ID: "12[].srv", Verdict: model.Never, Tasks: array.Tasks},
		"7": {Job: 7},
	} {
		if got := subject.JobText(&d); got != want {
			t.Errorf("%+v: %s, want %s", d, got, want)
		}
	}
	for id, want := range map[string]string{"12[3].srv": "12[].srv", "12.srv": "12.srv", "]12[": "]12[", "": ""} {
		if got := model.PBSArrayOf(id); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}
