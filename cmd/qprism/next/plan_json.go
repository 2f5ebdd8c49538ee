package next

import (
	"encoding/json"
	"io"
	"math"
	"strings"
	"time"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/cmd/qprism/words"
	"qprism/engine/model"
)

// jsonDecision is a decision in JSON.
type jsonDecision struct {
	Job      jobKey        `json:"job"`
	Task     string        `json:"task,omitempty"`
	Verdict  string        `json:"verdict"`
	Start    time.Time     `json:"start"`
	Duration time.Duration `json:"duration"` // seconds with DURATION_OFFSET, null for no end and for what waits
	PE       string        `json:"pe,omitempty"`
	Slots    []jsonGrant   `json:"slots"`
	Placed   string        `json:"exec_vnode,omitempty"` // of PBS
	Tied     []string      `json:"tied,omitempty"`
	Why      []JSONReason  `json:"why"`
	words.JSONVerdict
}

type jsonGrant struct {
	Queue string `json:"queue,omitempty"`
	Vnode string `json:"vnode,omitempty"`
	Slots int    `json:"slots"` // of a vnode its processors
}

// A jobKey names a job as its system does: Grid Engine by its number, PBS by its id.
type jobKey struct {
	number uint32
	id     string
}

// MarshalJSON prints a number or a string.
func (k jobKey) MarshalJSON() ([]byte, error) {
	if k.id != "" {
		return json.Marshal(k.id)
	}
	return json.Marshal(k.number)
}

// taskKey returns the tasks of a decision. For PBS, it returns them only for a waiting array, because the id of
// a subjob names it.
func taskKey(d *model.Decision) string {
	if d.ID != "" && (len(d.Tasks) == 0 || !strings.Contains(d.ID, "[]")) {
		return ""
	}
	return model.TaskText(d.Tasks)
}

func grantJSON(g model.Grant, id string) jsonGrant {
	if id != "" {
		return jsonGrant{Vnode: g.Instance, Slots: g.Slots}
	}
	return jsonGrant{Queue: g.Instance, Slots: g.Slots}
}

// JSONReason is a reason with all its places.
type JSONReason struct {
	Kind     string   `json:"kind"`
	Level    string   `json:"level,omitempty"`
	Resource string   `json:"resource,omitempty"`
	Asked    string   `json:"asked,omitempty"`
	Offered  string   `json:"offered,omitempty"`
	Later    bool     `json:"later"`
	Reserved bool     `json:"reserved"`
	Text     string   `json:"text"`
	Log      string   `json:"log,omitempty"`     // PBS: the text in the scheduler's log
	Comment  string   `json:"comment,omitempty"` // PBS: the job's comment
	Never    bool     `json:"never,omitempty"`   // PBS: never with the configured resources
	Who      string   `json:"who,omitempty"`     // PBS: the user, group or project of a limit
	Count    int      `json:"count"`
	Objects  []string `json:"objects,omitempty"`
}

// jsonResource is the use of a resource over time.
type jsonResource struct {
	Level     string         `json:"level"`
	Object    string         `json:"object"`
	Resource  string         `json:"resource"`
	Total     float64        `json:"total"` // null where it is not known
	Intervals []jsonInterval `json:"intervals"`
	Steps     []jsonStep     `json:"steps,omitempty"`
}

type jsonInterval struct {
	Job    uint32    `json:"job"`
	Task   uint32    `json:"task"`
	State  string    `json:"state"`
	Start  time.Time `json:"start"`
	End    time.Time `json:"end"` // null for none
	Amount float64   `json:"amount"`
}

type jsonStep struct {
	At     time.Time `json:"at"`
	Amount float64   `json:"amount"`
}

// planHead is what comes before the decisions of a plan.
type planHead struct {
	Cluster string    `json:"cluster"`
	Release string    `json:"release"`
	Quirks  string    `json:"quirks"`
	RunAt   time.Time `json:"run_at"`
	Notes   []string  `json:"notes,omitempty"`
	// of PBS: what the snapshot does not say and is taken for granted
	Assumed   []string         `json:"assumed,omitempty"`
	Closed    []JSONReason     `json:"closed"`              // queue instances in which no job can start
	Preempted []jsonPreemption `json:"preempted,omitempty"` // of PBS
}

// jsonPlan is a plan in JSON.
type jsonPlan struct {
	planHead
	Decisions []jsonDecision `json:"decisions"` // in the order in which the scheduler takes them
	Gantt     []jsonResource `json:"gantt"`     // bookings: who uses which resource, and when
}

// writePlan writes a plan as JSON, decision by decision, so that memory does not grow with the text.
func writePlan(w io.Writer, s *subject.Subject, p *model.Plan, all bool) error {
	j := show.NewJSONWriter(w)
	j.Open(planHead{s.Cluster, s.Release.String(), s.Rules, p.RunAt, p.Notes, s.Assumptions(),
		ReasonsJSON(p.Closed, all), preemptionsJSON(p)})
	j.List("decisions")
	jobs := s.Snapshot.JobsByNumber()
	reasons := words.Once(func(why []model.Reason) []JSONReason { return ReasonsJSON(why, all) })
	for i := range p.Decisions {
		d := decisionJSON(&p.Decisions[i], reasons)
		if p.Decisions[i].Verdict == model.Never {
			d.JSONVerdict = words.VerdictJSON(s, jobs[p.Decisions[i].Job])
		}
		j.Item(d)
	}
	j.EndList()
	j.List("gantt")
	for _, r := range gantt(s.Batch.Booked(p)) {
		j.Item(r)
	}
	j.EndList()
	return j.Close()
}

// jsonPreemption is a job that is stopped for another one.
type jsonPreemption struct {
	Job    string `json:"job"`
	For    string `json:"for"`
	Method string `json:"method"`
}

func preemptionsJSON(p *model.Plan) (list []jsonPreemption) {
	for _, v := range p.Preempted {
		list = append(list, jsonPreemption{v.ID, v.For, v.Method})
	}
	return list
}

// decisionJSON is a decision with its reasons as they are to be said: everyPlace, or fewPlaces.
func decisionJSON(d *model.Decision, reasons func([]model.Reason) []JSONReason) jsonDecision {
	j := jsonDecision{Job: jobKey{d.Job, d.ID}, Task: taskKey(d), Verdict: string(d.Verdict),
		Start: d.Start, Duration: d.Duration, PE: d.PE,
		Placed: d.Placed, Tied: d.Tied, Why: reasons(d.Why)}
	if d.Verdict == model.Never {
		j.Start, j.Duration = time.Time{}, model.Forever
	}
	for _, g := range d.Slots {
		j.Slots = append(j.Slots, grantJSON(g, d.ID))
	}
	return j
}

// manyPlaces is how many places of a reason are named unless --all asks for all: many jobs share long lists of them.
const manyPlaces = 10

func everyPlace(why []model.Reason) []JSONReason { return ReasonsJSON(why, true) }
func fewPlaces(why []model.Reason) []JSONReason  { return ReasonsJSON(why, false) }

// ReasonsJSON joins reasons that differ only by place. It names a few of the places, or all of them.
func ReasonsJSON(why []model.Reason, all bool) []JSONReason {
	var list []JSONReason
	for _, g := range words.GroupReasons(why) {
		r := JSONReason{Kind: string(g.Kind), Level: g.Level, Resource: g.Resource, Asked: g.Asked,
			Offered: g.Offered, Later: g.Later,
			Reserved: g.Reserved, Log: g.Reason.Text, Comment: g.Comment, Never: g.Never, Who: g.Who,
			Text: words.ReasonText(&g.Reason), Count: g.Count, Objects: g.Objects}
		if !all && len(r.Objects) > manyPlaces {
			r.Objects = r.Objects[:manyPlaces]
		}
		list = append(list, r)
	}
	return list
}

// gantt returns the resources of a plan with their bookings, in the order of the plan.
func gantt(p *model.Plan) []jsonResource {
	var list []jsonResource
	places := map[[3]string]int{}
	at := func(level, object, resource string) *jsonResource {
		key := [3]string{level, object, resource}
		i, known := places[key]
		if !known {
			i = len(list)
			places[key] = i
			list = append(list, jsonResource{Level: level, Object: object, Resource: resource, Total: math.NaN()})
		}
		return &list[i]
	}
	for _, u := range p.Utilization {
		r := at(u.Level, u.Object, u.Resource)
		r.Total = u.Total
		for _, s := range u.Steps {
			r.Steps = append(r.Steps, jsonStep{s.At, s.Amount})
		}
	}
	for _, l := range p.Lines {
		r := at(l.Level, l.Object, l.Resource)
		i := jsonInterval{Job: l.Job, Task: l.Task, State: l.State, Start: l.Start, Amount: l.Amount}
		if l.Duration != model.Forever {
			i.End = l.Start.Add(l.Duration)
		}
		r.Intervals = append(r.Intervals, i)
	}
	return list
}
