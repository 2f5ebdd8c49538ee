package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"qprism/engine/batch"
	"qprism/engine/model"
	"qprism/engine/pbs/retrace"
	"qprism/fixtures/archive"
	"qprism/importer/pbs"
)

// measureCycles audits the recordings of PBS in fixtures/pbs: each bundle with the cycle behind it and with
// the one before it.
func measureCycles() (*measure, error) {
	m := &measure{}
	for _, pattern := range []string{"fixtures/pbs/*.tar.gz", "fixtures/pbs/cycles/*.tar.gz"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if err := m.measureScenario(name); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	if len(m.Cycles) == 0 {
		return nil, fmt.Errorf("no recordings in fixtures/pbs")
	}
	return m, nil
}

// measureScenario audits the bundles of one archive by the logs of its scenario.
func (m *measure) measureScenario(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	files, err := archive.Open(data)
	if err != nil {
		return err
	}
	logs, err := fs.Glob(files, "logs/sched_log.txt")
	if inside, _ := fs.Glob(files, "*/logs/sched_log.txt"); len(logs) == 0 {
		logs = inside
	}
	if err != nil || len(logs) == 0 {
		return err // a recording without cycles
	}
	if files, err = fs.Sub(files, path.Dir(path.Dir(logs[0]))); err != nil {
		return err
	}
	return fs.WalkDir(files, ".", func(at string, e fs.DirEntry, err error) error {
		if err != nil || e.Name() != "qstat_f.json" {
			return err
		}
		return m.measureCycle(path.Base(name)+"/"+path.Dir(at), files, path.Dir(at))
	})
}

func (m *measure) measureCycle(name string, files fs.FS, step string) error {
	folder, err := fs.Sub(files, step)
	if err != nil {
		return err
	}
	s, err := pbs.Read(folder, pbs.Options{})
	if err != nil {
		return err
	}
	log := "logs/sched_log.txt"
	if of := s.PBS.FilesOf; of != "" {
		log = "logs/sched_log_" + of + ".txt"
	}
	if s.PBS.Cycles, err = pbs.ReadCycles(files, log, nil); err != nil {
		return err
	}
	if s.PBS.Accounting, err = pbs.ReadAccounting(files, "logs/accounting.txt", nil); err != nil {
		return err
	}
	next, last := besides(s)
	for _, c := range []*model.SchedCycle{next, last} {
		if c != nil {
			m.Cycles = append(m.Cycles, cycleAudit(name, s, c.Start))
		}
	}
	return nil
}

// besides returns the first cycle after a bundle that considers jobs, and the last such cycle before it.
func besides(s *model.Snapshot) (next, last *model.SchedCycle) {
	taken := s.TakenAt.Truncate(time.Second)
	for i := range s.PBS.Cycles {
		switch c := &s.PBS.Cycles[i]; {
		case len(c.Considered()) == 0:
		case c.Start.Before(taken):
			last = c
		case next == nil:
			next = c
		}
	}
	return next, last
}

func cycleAudit(name string, s *model.Snapshot, at time.Time) (b bundle) {
	b.Name = name + at.Format(" 15:04:05")
	defer func() {
		if r := recover(); r != nil {
			b.Open = append(b.Open, number{Key: "panic", Class: string(batch.Unexplained),
				Why: strings.TrimSpace(fmt.Sprint(r))})
		}
	}()
	r := retrace.Run(s, retrace.Options{At: at})
	b.Numbers = r.Sum().Reported
	for _, d := range r.Disagreements {
		b.Open = append(b.Open, number{Key: d.Field.String() + " " + d.Name, Class: string(d.Class), Why: d.Why,
			Text: d.Master + " " + d.Computed})
	}
	return b
}
