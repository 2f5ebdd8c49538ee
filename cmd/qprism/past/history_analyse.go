package past

import (
	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/subject"
	"qprism/compat"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/history"
	"qprism/engine/model"
)

// Analysis is the version of analyses. If it changes, qprism makes the analyses in a store again.
const Analysis = "analysis 1"

// Analyze finds the place of each waiting job of a snapshot, and why it waits. It plans a run at the snapshot's
// time. If it cannot plan a run, the places come from the printed priorities.
func Analyze(s *model.Snapshot) *sqlite.Analysis {
	name, quirks := compat.For(s.Release)
	a := &sqlite.Analysis{}
	subject := subject.NewSubject(s, name, lastrun.Options{At: s.TakenAt, Quirks: quirks})
	if s.TakenAt.IsZero() || subject.Batch.Guesses() != nil {
		name, a.Standings = "printed priorities", history.Printed(s)
	} else {
		a.Standings = history.Standings(s, subject.Batch.Plan(s.TakenAt), subject.NeverRuns)
	}
	a.Rules, a.Load = name+", "+Analysis, history.LoadOf(s, a.Standings)
	return a
}
