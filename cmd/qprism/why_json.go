package main

import (
	"qprism/engine/model"
)

// jsonWhy is an explanation in JSON.
type jsonWhy struct {
	Job      jobKey         `json:"job"`
	Name     string         `json:"name"`
	Owner    string         `json:"owner"`
	RunAt    *string        `json:"run_at"`
	Quirks   string         `json:"quirks"`
	Running  int            `json:"running"` // tasks
	Starts   []jsonDecision `json:"starts"`
	Decision *jsonDecision  `json:"decision"` // about what does not start now
	Closed   []jsonReason   `json:"closed"`   // queue instances in which no job can start
	Hosts    []jsonHosts    `json:"hosts"`
	Holders  []jsonHolder   `json:"holders"`
	Ahead    *jsonAhead     `json:"ahead"`
}

type jsonHosts struct {
	Candidate bool     `json:"candidate"`
	Text      string   `json:"text"`
	Count     int      `json:"count"`
	Hosts     []string `json:"hosts"`
}

type jsonHolder struct {
	What   string  `json:"what"`
	Job    jobKey  `json:"job"`
	Task   uint32  `json:"task,omitempty"`
	State  string  `json:"state"`
	Owner  string  `json:"owner"`
	Amount number  `json:"amount"`
	Until  *string `json:"until"` // null for no end
	Free   number  `json:"free_then"`
}

type jsonAhead struct {
	Jobs           int    `json:"jobs"`
	Tasks          int    `json:"tasks"`
	SlotHours      number `json:"slot_hours"`
	Endless        int    `json:"tasks_without_limit"`
	Running        number `json:"running_slot_hours"`
	RunningEndless int    `json:"running_tasks_without_limit"`
}

func (r *delay) key() jobKey {
	if r.job.PBS != nil {
		return jobKey{id: r.id}
	}
	return jobKey{number: r.job.Number}
}

func (r *delay) json(s *subject, p *model.Plan) jsonWhy {
	j := jsonWhy{Job: r.key(), Name: r.job.Name, Owner: r.job.Owner, RunAt: rfc3339(p.RunAt), Quirks: s.rules, Running: r.running,
		Starts: []jsonDecision{}, Closed: reasonsJSON(p.Closed, true), Hosts: []jsonHosts{}, Holders: []jsonHolder{}}
	for _, d := range r.starts {
		j.Starts = append(j.Starts, decisionJSON(d, true))
	}
	if r.decision != nil {
		d := decisionJSON(r.decision, true)
		j.Decision = &d
	}
	for _, g := range r.hosts {
		j.Hosts = append(j.Hosts, jsonHosts{g.candidate, g.text, len(g.names), g.names})
	}
	for _, h := range r.holders {
		j.Holders = append(j.Holders, jsonHolder{h.what, jobKey{h.job, h.id}, h.task, h.state, h.owner, number(h.amount), rfc3339(h.until), number(h.free)})
	}
	if a := r.ahead; a.known {
		j.Ahead = &jsonAhead{a.jobs, a.tasks, number(a.hours), a.endless, number(a.running), a.runningEndless}
	}
	return j
}
