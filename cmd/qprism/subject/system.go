package subject

import (
	"context"
	"io"
	"time"

	"qprism/engine/batch"
	"qprism/engine/explain"
	"qprism/engine/forecast"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

// A system is what commands do by the rules of one batch system. A subject has that of its snapshot; no command asks which
// it is.
type system interface {
	Product() string // as headers name it

	Lacks(policy bool) error // names everything without which nothing can be planned; policy says that --policy gave one
	ReplacePolicy(path string, warn io.Writer) error
	Plan(at time.Time) *model.Plan

	Audit(ctx context.Context, o AuditOptions) (*batch.Audit, error)
	Ranking(view string) (*batch.Ranking, error) // one of Views
	Shares(v batch.ShareView) (*batch.Shares, error)
	FullBundle() string // what makes a bundle that lacks nothing, and where

	Find(job string) (*model.Job, error)
	Scene() (*explain.Scene, error)     // what orders jobs, to be explained and compared
	InScene(job string) (string, error) // the id by which a scene knows a job

	Forecast(o forecast.Options) *forecast.Forecast
	History() *forecast.History // nil where no ended jobs are known
	Cadence() string            // when the scheduler runs, in words
}

// NewSubject is a snapshot with the system whose rules it follows.
func NewSubject(s *model.Snapshot, rules string, look lastrun.Options) *Subject {
	subject := &Subject{Snapshot: s, Rules: rules, Look: look}
	subject.Batch = GridEngine{subject}
	if s.PBS != nil {
		subject.Batch = OpenPBS{subject}
	}
	return subject
}

// GridEngine is Grid Engine, of any release.
type GridEngine struct{ *Subject }

func (s *Subject) Product() string { return ProductOf(s.Snapshot) }

// ProductOf names the system of a snapshot.
func ProductOf(s *model.Snapshot) string {
	if s.System == model.GridEngine {
		return "Grid Engine"
	}
	return string(s.System)
}
