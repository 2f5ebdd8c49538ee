package main

import (
	"io"
	"time"

	"qprism/engine/explain"
	"qprism/engine/forecast"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

// A system is what commands do by the rules of one batch system. A subject has that of its snapshot; no command asks which
// it is.
type system interface {
	product() string // as headers name it

	lacks(policy bool) error // names everything without which nothing can be planned; policy says that --policy gave one
	replacePolicy(path string, warn io.Writer) error
	plan(at time.Time) *model.Plan

	find(job string) (*model.Job, error)
	scene() (*explain.Scene, error)     // what orders jobs, to be explained and compared
	inScene(job string) (string, error) // the id by which a scene knows a job

	forecast(o forecast.Options) *forecast.Forecast
	history() *forecast.History // nil where no ended jobs are known
	cadence() string            // when the scheduler runs, in words
}

// newSubject is a snapshot with the system whose rules it follows.
func newSubject(s *model.Snapshot, rules string, look lastrun.Options) *subject {
	subject := &subject{Snapshot: s, rules: rules, look: look}
	subject.system = gridEngine{subject}
	if s.PBS != nil {
		subject.system = openPBS{subject}
	}
	return subject
}

// gridEngine is Grid Engine, of any release.
type gridEngine struct{ *subject }

func (s *subject) product() string { return productOf(s.Snapshot) }

// productOf names the system of a snapshot.
func productOf(s *model.Snapshot) string {
	if s.System == model.GridEngine {
		return "Grid Engine"
	}
	return string(s.System)
}
