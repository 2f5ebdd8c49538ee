package past

import (
	"time"

	"qprism/engine/model"
)

// jsonLife is a job over time as JSON.
type jsonLife struct {
	Job       uint32       `json:"job"`
	ID        string       `json:"id,omitempty"` // of PBS
	Cluster   string       `json:"cluster"`
	Name      string       `json:"name"`
	Owner     string       `json:"owner"`
	Project   string       `json:"project"`
	Submitted time.Time    `json:"submitted"`
	Wait      jsonWait     `json:"wait"`
	Moments   []jsonMoment `json:"moments"`
}

// jsonWait is a waiting time by cause, in seconds.
type jsonWait struct {
	Total   float64    `json:"seconds"`
	Until   time.Time  `json:"until"`
	Waiting bool       `json:"still_waiting"`
	Unseen  float64    `json:"before_first_snapshot"`
	Causes  []jsonPart `json:"causes"`
}

type jsonPart struct {
	Cause   string   `json:"cause"`
	Seconds float64  `json:"seconds"`
	Object  string   `json:"object,omitempty"`
	Rivals  []uint32 `json:"rivals,omitempty"`
}

type jsonMoment struct {
	Snapshot int64         `json:"snapshot"`
	TakenAt  time.Time     `json:"taken_at"`
	State    string        `json:"state"`
	Prio     float64       `json:"prio"`
	Tickets  float64       `json:"tickets"`
	Rank     *int          `json:"rank"`
	Standing *jsonStanding `json:"standing"`
	Messages []string      `json:"messages,omitempty"` // the scheduler's own
}

type jsonStanding struct {
	Cause  string    `json:"cause"`
	Object string    `json:"object,omitempty"`
	Lacks  string    `json:"lacks,omitempty"`
	Rival  *uint32   `json:"rival"`
	Start  time.Time `json:"reserved_from"`
	Tasks  int64     `json:"tasks"`
}

func jsonLives(lives []*life) []jsonLife {
	list := make([]jsonLife, 0, len(lives))
	for _, l := range lives {
		j := &l.moments[0].Job
		x := jsonLife{Job: l.number, ID: j.ServerID(), Cluster: l.cluster, Name: j.Name, Owner: j.Owner,
			Project: j.Project, Wait: l.jsonWait()}
		if !unknownTime(j.Submitted) {
			x.Submitted = j.Submitted
		}
		for k := range l.moments {
			x.Moments = append(x.Moments, l.jsonMoment(k))
		}
		list = append(list, x)
	}
	return list
}

func (l *life) jsonWait() jsonWait {
	w := jsonWait{Total: l.wait.Total().Seconds(), Until: l.wait.Until, Waiting: l.wait.Waiting,
		Unseen: l.wait.Unseen.Seconds(),
		Causes: []jsonPart{}}
	for _, p := range l.wait.Parts {
		w.Causes = append(w.Causes, jsonPart{string(p.Cause), p.For.Seconds(), p.Object, p.Rivals})
	}
	return w
}

func (l *life) jsonMoment(k int) jsonMoment {
	m := &l.moments[k]
	prio, tickets, _ := values(m)
	x := jsonMoment{Snapshot: m.Snapshot, TakenAt: m.TakenAt, State: m.Job.States(),
		Messages: m.Job.SchedulerMessages(),
		Prio:     prio, Tickets: tickets}
	if m.Standing != nil {
		x.Standing = standingJSON(m.Standing)
		if m.Standing.Rank > 0 {
			x.Rank = &m.Standing.Rank
		}
	}
	return x
}

func standingJSON(st *model.Standing) *jsonStanding {
	x := &jsonStanding{Cause: string(st.Cause), Object: st.Object, Lacks: st.Lacks, Start: st.Start, Tasks: st.Tasks}
	if st.Rival != 0 {
		x.Rival = &st.Rival
	}
	return x
}
