package lint

import (
	"qprism/engine/batch"
	"qprism/engine/model"
)

// A Stuck job waits and can never run.
type Stuck struct {
	Job     string   `json:"job"`
	Owner   string   `json:"owner"`
	Kind    string   `json:"kind,omitempty"`    // the kind of problem
	Request string   `json:"request,omitempty"` // the request that prevents it; empty if no single change helps
	Nearest []string `json:"nearest"`           // requests that would fit
}

// chances say of jobs whether they can ever run.
type chances interface {
	Of(*model.Job) *batch.Chance
	Never(*model.Job) bool
}

// NeverRun are the waiting jobs that can never run. Only the first change that helps is reported.
func NeverRun(s *model.Snapshot, c chances) []Stuck {
	list := []Stuck{}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if !j.Waits() || j.IsWaitingSubjob() || !c.Never(j) {
			continue
		}
		one := Stuck{Job: j.KnownAs(), Owner: j.Owner, Nearest: []string{}}
		if a := c.Of(j); len(a.Blames) > 0 {
			one.Kind, one.Request, one.Nearest = string(a.Blames[0].Kind), a.Blames[0].Option,
				append(one.Nearest, a.Blames[0].Nearest...)
		}
		list = append(list, one)
	}
	return list
}
