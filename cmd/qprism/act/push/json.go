package push

import (
	"errors"
	"time"

	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/subject"
	"qprism/engine/assign"
	"qprism/exporter"
)

// JSONPush is the plan of a push.
type JSONPush struct {
	Cluster    string           `json:"cluster"`
	Kind       string           `json:"kind"`
	At         time.Time        `json:"at"`
	Waiting    int              `json:"waiting"`
	Wanted     []uint32         `json:"wanted"`
	Order      []uint32         `json:"order"`
	Enforced   bool             `json:"enforced"`
	Exact      int              `json:"exact"`
	Priorities int              `json:"priorities"`
	Least      int              `json:"least_priorities"`
	Smallest   bool             `json:"smallest"`
	PassedOver []uint32         `json:"passed_over"`
	Never      []uint32         `json:"never"` // wanted jobs that can never run; they get no place
	Orders     []past.JSONOrder `json:"orders"`
	Commands   [][]string       `json:"commands"`
	Refused    string           `json:"refused,omitempty"`
}

// JSONReport is the result of a push.
type JSONReport struct {
	Push    int64            `json:"push"`
	Undoes  int64            `json:"undoes,omitempty"`
	Outcome string           `json:"outcome"`
	RunSeen bool             `json:"run_seen"`
	Agrees  bool             `json:"agrees"`
	Differs string           `json:"differs,omitempty"`
	Wait    int              `json:"still_waiting"`
	Left    int              `json:"no_longer_waiting"`
	Came    int              `json:"came_meanwhile"`
	Places  []string         `json:"displaced"`
	Why     string           `json:"why,omitempty"`
	Orders  []past.JSONOrder `json:"orders"`
	Order   []string         `json:"order"`
}

func (p *Plan) json(s *subject.Subject, commands []exporter.Command, opts Options) JSONPush {
	st := p.steering
	if st == nil {
		st = &assign.Steering{}
	}
	refused := ""
	if refusal, is := errors.AsType[*exporter.RefusalError](p.refusal(s, opts)); is {
		refused = refusal.Why
	}
	return JSONPush{s.Cluster, p.system.Kind(), p.at, p.Waiting, st.Wanted, st.After, len(st.Sooner) == 0 &&
		!st.Drifts, st.Exact, st.Priorities, st.Least, st.Smallest, p.passed, p.never,
		past.OrdersJSON(p.orders), argvs(commands), refused}
}

func reportJSON(r *exporter.Report) JSONReport {
	return JSONReport{r.Push.ID, r.Push.Undoes, r.Push.Outcome, r.Taken, r.Agrees, r.Differs,
		r.Standing.Wait, r.Standing.Left,
		r.Standing.Came, r.Standing.Jobs(), r.Why, past.OrdersJSON(r.Push.Orders), r.Order}
}
