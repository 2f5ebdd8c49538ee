package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"qprism/compat"
	"qprism/engine/gridengine/audit"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/record"
	"qprism/engine/gridengine/schedule"
	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/gridengine"
)

// A measure is the result of auditing recordings with the engine of this program.
type measure struct {
	Bundles     []bundle
	Predictions []bundle // of runs, from the bundles before them
	Plans       []plan
	Cycles      []bundle // of PBS
}

// A bundle is one audit.
type bundle struct {
	Name    string
	Moment  string
	Numbers int      // that the master printed
	Open    []number // that do not agree
	Fixed   []string // that do not agree at the moment of the unmutated engine
}

// A number is a recomputed number that differs from the printed one.
type number struct {
	Key   string // job, task and field
	Class string
	Why   string
	Text  string // the printed value and the computed value
}

// A plan is one run that was planned.
type plan struct {
	Name  string
	Rows  int
	Ties  int
	Wrong []string // rows and lines that are not as recorded
}

// measureAll audits and plans all recordings in folders. moments are the moments of the engine without faults;
// empty for none.
func measureAll(folders []string, what kind, moments map[string]lastrun.Moment) (*measure, error) {
	if what == cycles {
		return measureCycles()
	}
	runs, err := runsIn(folders)
	if err != nil {
		return nil, err
	}
	m := &measure{Bundles: make([]bundle, len(runs)), Predictions: make([]bundle, len(runs)),
		Plans: make([]plan, len(runs))}
	var group sync.WaitGroup
	mistakes := make([]error, len(runs))
	limit := make(chan struct{}, runtime.NumCPU())
	for i, run := range runs {
		group.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			if err := m.measureRun(i, run, what, moments); err != nil {
				mistakes[i] = fmt.Errorf("%s: %w", run, err)
			}
		})
	}
	group.Wait()
	return m, errors.Join(mistakes...)
}

// runsIn lists the folders of runs, each with its bundles before and after, in archives and folders.
func runsIn(folders []string) (runs []string, err error) {
	for _, folder := range folders {
		for n := 1; ; n++ {
			run := fmt.Sprintf("%s/run%d", folder, n)
			_, closer, err := importer.Open(run + "/after")
			if err != nil {
				break
			}
			closer.Close()
			runs = append(runs, run)
		}
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("no recordings in %v", folders)
	}
	return runs, nil
}

func (m *measure) measureRun(i int, run string, what kind, moments map[string]lastrun.Moment) (err error) {
	parts := strings.Split(filepath.ToSlash(run), "/")
	name := strings.Join(parts[max(0, len(parts)-3):], "/")
	defer func() {
		if r := recover(); r != nil {
			m.Bundles[i].Name = name
			m.Bundles[i].Open = append(m.Bundles[i].Open, number{Key: "panic", Class: "unexplained", Why: fmt.Sprint(r)})
		}
	}()
	after, err := snapshot(run + "/after")
	if err != nil {
		return err
	}
	before, err := snapshot(run + "/before")
	if what == priorities || what == "all" {
		m.Bundles[i] = audited(name, before, after, moments[name])
	}
	if err != nil {
		return nil // the master began with its first run
	}
	if what == predictions || what == "all" {
		m.Predictions[i] = predicted(name, before, after, moments[name])
	}
	if what == dispatch || what == "all" {
		m.Plans[i] = planned(name, before, after)
	}
	return nil
}

func snapshot(name string) (*model.Snapshot, error) {
	files, closer, err := importer.Open(name)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	return gridengine.Read(files, gridengine.Options{})
}

// audited audits a bundle. It repeats the audit at the moment that the engine without faults found. Otherwise,
// a fault that moves the moment could hide.
func audited(name string, before, s *model.Snapshot, fixed lastrun.Moment) bundle {
	_, quirks := compat.For(s.Release)
	r := audit.Run(s, audit.Options{Options: lastrun.Options{Quirks: quirks}, Before: before})
	b := bundle{Name: name, Numbers: r.Sum().Reported}
	moment, _ := json.Marshal(r.Moment)
	b.Moment = string(moment)
	for _, d := range r.Disagreements {
		b.Open = append(b.Open, number{Key: keyOf(d), Class: string(d.Class), Why: d.Why,
			Text: d.Field.Print(d.Reported) + " " + d.Field.Print(d.Computed)})
	}
	if !fixed.At.IsZero() {
		at := audit.Run(s, audit.Options{Options: lastrun.Options{At: fixed.Instant(), Quirks: quirks}, Before: before})
		for _, d := range at.Disagreements {
			b.Fixed = append(b.Fixed, keyOf(d))
		}
	}
	return b
}

func keyOf(d audit.Disagreement) string {
	return fmt.Sprintf("%d.%v.%s", d.Job.Number, d.Task.IDs, d.Field)
}

// planned plans a run from the state before it.
func planned(name string, before, after *model.Snapshot) plan {
	p := plan{Name: name}
	run, recorded := record.Next(before, after)
	actual := record.Plan(run)
	at := actual.RunAt
	_, quirks := compat.For(before.Release)
	if recorded && at.IsZero() && len(actual.Decisions) > 0 { // it reserved, and started nothing
		_, moment := lastrun.Look(after, lastrun.Options{Quirks: quirks})
		at = moment.At
	}
	if !recorded || at.IsZero() || after.Policy.MaxReservation == 0 {
		first, ok := record.FirstStart(before, after)
		if !ok {
			return p
		}
		at, actual, recorded = first, record.Starts(after, first), false
	}
	computed := schedule.Run(before, schedule.Options{At: at, Quirks: quirks})
	if !recorded {
		computed.Decisions = slices.DeleteFunc(computed.Decisions, func(d model.Decision) bool {
			return d.Verdict == model.Later
		})
	}
	for _, row := range record.Compare(computed, actual) {
		p.Rows++
		if row.Outcome == record.Tie {
			p.Ties++
		}
		if row.Outcome.Differs() {
			p.Wrong = append(p.Wrong, fmt.Sprintf("%d.%d %s", row.Job, row.Task, row.Outcome))
		}
	}
	if _, all := record.SameLines(computed.Lines, run.Lines); recorded && !all {
		p.Wrong = append(p.Wrong, "lines")
	}
	return p
}

// write writes a measure as JSON.
func (m *measure) write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(m)
}

// moments are those at which the audits saw the runs.
func (m *measure) moments() map[string]lastrun.Moment {
	list := map[string]lastrun.Moment{}
	for _, b := range m.Bundles {
		var at lastrun.Moment
		if json.Unmarshal([]byte(b.Moment), &at) == nil {
			list[b.Name] = at
		}
	}
	return list
}
