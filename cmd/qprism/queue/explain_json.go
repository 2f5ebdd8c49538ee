package queue

import (
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/explain"
)

// An explained job is an explanation with its subject.
type explained struct {
	Cluster string   `json:"cluster"`
	Release string   `json:"release"`
	Quirks  string   `json:"quirks"`
	Assumed []string `json:"assumed,omitempty"` // PBS: assumptions about facts that the snapshot lacks
	Job     uint32   `json:"job"`
	Name    string   `json:"name"`
	Owner   string   `json:"owner"`
	*explain.Explanation
	Notes []string `json:"notes"`
}

func explanationJSON(s *subject.Subject, e *explain.Explanation) explained {
	return explained{s.Cluster, s.Release.String(), s.Rules, s.Assumptions(), e.Job.Number,
		e.Job.Name, e.Job.Owner, e, explanationNotes(e)}
}

// explanationSheet is the derivation as a table: a term a row, its path in front.
func explanationSheet(e *explain.Explanation) show.Sheet {
	t := show.Sheet{Columns: show.Columns("term", ">value", "made of", "note")}
	var add func(path string, terms []explain.Term)
	add = func(path string, terms []explain.Term) {
		for i := range terms {
			name := path + terms[i].Name
			t.Add(name, explain.Number(terms[i].Value), terms[i].Expression(), terms[i].Note)
			add(name+"/", terms[i].Terms)
		}
	}
	for _, c := range e.Criteria {
		add("", []explain.Term{c.Term})
	}
	return t
}
