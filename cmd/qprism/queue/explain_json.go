package queue

import (
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/explain"
)

// jsonExplanation is an explanation in JSON.
type jsonExplanation struct {
	Cluster  string          `json:"cluster"`
	Release  string          `json:"release"`
	RunAt    *string         `json:"run_at"`
	Next     bool            `json:"next_run"` // the last one did not know the job
	Quirks   string          `json:"quirks"`
	Job      uint32          `json:"job"`
	ID       string          `json:"id"`
	Task     uint32          `json:"task,omitempty"`
	Name     string          `json:"name"`
	Owner    string          `json:"owner"`
	State    string          `json:"state"`
	Place    int             `json:"place"` // 0 for a job that does not wait
	Waiting  int             `json:"waiting"`
	Since    *jsonSince      `json:"since"`    // null where that is the next run
	Criteria []jsonCriterion `json:"criteria"` // the most important first
	Inert    []jsonInert     `json:"inert"`
	Ahead    *jsonAheadOf    `json:"next_before"`
	Notes    []string        `json:"notes"`
}

// jsonSince is where the job stands in the next run.
type jsonSince struct {
	Started int `json:"started"` // jobs that waited in the run
	Place   int `json:"place"`   // 0 for a job that waits no more
	Waiting int `json:"waiting"`
}

// jsonAheadOf is the job next before the one that is explained.
type jsonAheadOf struct {
	ID       string      `json:"id"`
	Owner    string      `json:"owner"`
	Decided  string      `json:"decided_by"`
	By       show.Number `json:"by"`
	Priority int         `json:"priority"` // by how much -p has to grow to pass it, 0 where that is not possible
	Worth    []string    `json:"worth"`
}

type jsonCriterion struct {
	Name string   `json:"name"`
	Up   string   `json:"up"`
	Term jsonTerm `json:"term"`
}

// jsonTerm is a number and what it is made of; value is null where it is not known.
type jsonTerm struct {
	Name  string      `json:"name"`
	Value show.Number `json:"value"`
	Op    string      `json:"op,omitempty"`
	Over  bool        `json:"divides,omitempty"`
	Minus bool        `json:"subtracted,omitempty"`
	Text  string      `json:"text,omitempty"`
	Note  string      `json:"note,omitempty"`
	Inert string      `json:"inert,omitempty"`
	Terms []jsonTerm  `json:"terms,omitempty"`
}

type jsonInert struct {
	Policy string `json:"policy"`
	Why    string `json:"why"`
}

func explanationJSON(s *subject.Subject, e *explain.Explanation) jsonExplanation {
	j := jsonExplanation{Cluster: s.Cluster, Release: s.Release.String(), RunAt: show.Rfc3339(e.At), Next: e.Next, Quirks: s.Rules, Job: e.Job.Number, ID: e.ID,
		Task: e.Task, Name: e.Job.Name, Owner: e.Job.Owner, State: string(e.State), Place: e.Place, Waiting: e.Waiting,
		Criteria: []jsonCriterion{}, Inert: []jsonInert{}, Notes: explanationNotes(e)}
	for _, c := range e.Criteria {
		j.Criteria = append(j.Criteria, jsonCriterion{c.Name, c.Up, termJSON(c.Term)})
	}
	if n := e.Since; n != nil {
		j.Since = &jsonSince{n.Started, n.Place, n.Waiting}
	}
	if n := e.Ahead; n != nil {
		j.Ahead = &jsonAheadOf{n.ID, n.Owner, n.Decided, show.Number(n.By), n.Priority, append([]string{}, n.Worth...)}
	}
	for _, i := range e.Inert {
		j.Inert = append(j.Inert, jsonInert{i.Policy, i.Why})
	}
	return j
}

func termJSON(t explain.Term) jsonTerm {
	j := jsonTerm{Name: t.Name, Value: show.Number(t.Value), Op: string(t.Op), Over: t.Over, Minus: t.Minus, Text: t.Text, Note: t.Note, Inert: t.Inert}
	for _, below := range t.Terms {
		j.Terms = append(j.Terms, termJSON(below))
	}
	return j
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
