package past

import (
	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/subject"
	"qprism/compat"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/history"
	"qprism/engine/model"
)

// Analysis names what makes analyses; another number means that those in a store are to be made again.
const Analysis = "analysis 1"

// Analyse finds where the waiting jobs of a snapshot stand and why they wait, by a run planned when it was taken. Where none
// can be planned, the printed priorities say where they stand.
func Analyse(s *model.Snapshot) *sqlite.Analysis {
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
