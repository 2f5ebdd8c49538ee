package subject

import (
	"context"
	"io"
	"time"

	"qprism/cmd/qprism/words"
	"qprism/engine/batch"
	"qprism/engine/delay"
	"qprism/engine/explain"
	"qprism/engine/forecast"
	"qprism/engine/gridengine"
	gedelay "qprism/engine/gridengine/delay"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/lint"
	"qprism/engine/model"
	"qprism/engine/pbs"
	"qprism/engine/pbs/assume"
	pbsdelay "qprism/engine/pbs/delay"
)

// A system answers commands by the rules of one batch system. A subject has the system of its snapshot. No
// command asks which one it is.
type system interface {
	Product() string      // as headers name it
	Words() *words.System // for jobs that start next

	Lacks(policy bool) error // names everything without which nothing can be planned; policy says that --policy gave one
	// Like Lacks, but names everything without which a result would be a guess: to steer the scheduler, or to
	// judge what it did.
	Guesses() error
	ReplacePolicy(path string, warn io.Writer) error
	Plan(at time.Time) *model.Plan
	Booked(p *model.Plan) *model.Plan                              // a plan with all that its picture needs
	Running(at time.Time, o forecast.Options) []model.ScheduleLine // that Booked leaves out of a forecast

	Audit(ctx context.Context, o AuditOptions) (*batch.Audit, error)
	Ranking(view string) (*batch.Ranking, error) // one of Views
	Shares(v batch.ShareView) (*batch.Shares, error)
	Due(by string, active []batch.Party) batch.Due // what the active shares promise to users of the cluster
	Lint(lines func(file string) []string) *lint.Report
	FullBundle() string // how to make a complete bundle, and where

	Chances() Chances // whether jobs can ever run
	// why a job, or a task of it that is not 0, does not start in a plan
	Delay(p *model.Plan, j *model.Job, task uint32) *delay.Delay

	Find(job string) (*model.Job, error)
	Scene() (explain.Scene, error)      // the run that explains and compares jobs
	InScene(job string) (string, error) // the id by which a scene knows a job

	Forecast(o forecast.Options) *forecast.Forecast
	Ended() []model.EndedTask // ended tasks, by the bundle's records
	Cadence() string          // when the scheduler runs, in words
}

// NewSubject makes a Subject of a snapshot. Assumptions replace missing inputs of a plan.
func NewSubject(s *model.Snapshot, rules string, look lastrun.Options) *Subject {
	return newSubject(s, rules, look, false)
}

func newSubject(s *model.Snapshot, rules string, look lastrun.Options, asShown bool) *Subject {
	subject := &Subject{Snapshot: s, Rules: rules, Look: look}
	if !asShown {
		subject.Snapshot, subject.Assumed = assume.Fill(s)
	}
	subject.Batch = Choose[system](s, GridEngine{subject}, OpenPBS{subject})
	return subject
}

// Choose returns the value for the system of a snapshot. Only this function in cmd distinguishes the systems.
func Choose[T any](s *model.Snapshot, gridEngine, pbs T) T {
	if s.PBS != nil {
		return pbs
	}
	return gridEngine
}

// RulesName names the rules: a release of Grid Engine, or another system.
func RulesName(s *model.Snapshot, rules string) string {
	if s.HasQuirks() {
		return rules
	}
	return s.System.Name()
}

// History returns run times of ended jobs. It is nil if there are none.
func (s *Subject) History() *forecast.History {
	ended := s.Batch.Ended()
	if len(ended) == 0 {
		return nil
	}
	return forecast.Learn(ended)
}

// GridEngine answers for Grid Engine, for any release.
type GridEngine struct{ *Subject }

func (s *Subject) Product() string { return s.System.Name() }

// Command returns a command for a hint, about the same snapshot.
func (s *Subject) Command(name string, args ...string) string { return s.hints.Command(name, args...) }

// OpenPBS answers for OpenPBS and PBS Professional. qprism also reads listings of Torque, but Torque's
// scheduler is different.
type OpenPBS struct{ *Subject }

// Chances says which jobs can never run on the cluster as it is configured.
type Chances interface {
	Of(*model.Job) *batch.Chance
	Never(*model.Job) bool // faster than Of, but without the cause
}

// ChanceOf says whether a job can ever run. If it cannot, it names the request that prevents it.
func (s *Subject) ChanceOf(j *model.Job) *batch.Chance { return s.judge().Of(j) }

// NeverRuns reports whether a waiting job can never run.
func (s *Subject) NeverRuns(j *model.Job) bool { return j != nil && j.Waits() && s.judge().Never(j) }

func (s *Subject) judge() Chances {
	if s.chances == nil {
		s.chances = s.Batch.Chances()
	}
	return s.chances
}

func (s GridEngine) Chances() Chances { return gridengine.NewChances(s.Snapshot, s.Look.Quirks) }
func (s OpenPBS) Chances() Chances    { return pbs.NewChances(s.Snapshot) }

func (s GridEngine) Delay(p *model.Plan, j *model.Job, task uint32) *delay.Delay {
	return gedelay.Of(s.Snapshot, p, j, task)
}

// Delay explains why a PBS job or array does not start. A running subjob counts as a separate job.
func (s OpenPBS) Delay(p *model.Plan, j *model.Job, _ uint32) *delay.Delay {
	return pbsdelay.Of(s.Snapshot, p, j)
}
