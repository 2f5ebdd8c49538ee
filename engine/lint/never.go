package lint

import (
	"qprism/engine/batch"
	"qprism/engine/model"
)

// A Stuck job waits and can never run.
type Stuck struct {
	Job     string   `json:"job"`
	Owner   string   `json:"owner"`
	Kind    string   `json:"kind,omitempty"`    // what is wrong
	Request string   `json:"request,omitempty"` // that is to blame; empty where no change to one alone helps
	Nearest []string `json:"nearest"`           // that would fit
}

// chances say of jobs whether they can ever run.
type chances interface {
	Of(*model.Job) *batch.Chance
	Never(*model.Job) bool
}

// NeverRun are the waiting jobs that can never run. The first change that helps stands for others.
func NeverRun(s *model.Snapshot, c chances) []Stuck {
	list := []Stuck{}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if !j.Waits() || j.IsWaitingSubjob() || !c.Never(j) {
			continue
		}
		one := Stuck{Job: j.KnownAs(), Owner: j.Owner, Nearest: []string{}}
		if a := c.Of(j); len(a.Blames) > 0 {
			one.Kind, one.Request, one.Nearest = string(a.Blames[0].Kind), a.Blames[0].Option, append(one.Nearest, a.Blames[0].Nearest...)
		}
		list = append(list, one)
	}
	return list
}
