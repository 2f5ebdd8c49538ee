package main

import (
	"io"

	"qprism/engine/diff"
	"qprism/engine/model"
)

// writeJSON writes everything.
func (r *diffReport) writeJSON(w io.Writer) error {
	all, unlooked, unknown := r.inversions()
	report := jsonDiff{Cluster: r.first.Cluster, Release: r.first.Release.String(), Rules: r.rules, Predict: string(r.by), Inversions: all, Unlooked: unlooked, Unknown: unknown,
		Runs: []jsonDiffRun{}, Causes: []jsonCauseCount{}}
	for _, c := range r.causes() {
		report.Causes = append(report.Causes, jsonCauseCount{string(c.kind), c.detail, c.pairs, c.tasks})
	}
	for i := range r.runs {
		report.Runs = append(report.Runs, diffRunJSON(&r.runs[i], r.by))
	}
	return output{w: w, format: "json"}.json(report)
}

type jsonDiff struct {
	Cluster    string           `json:"cluster"`
	Release    string           `json:"release"`
	Rules      string           `json:"quirks"`
	Predict    string           `json:"predict"`
	Inversions int64            `json:"inversions"`
	Unlooked   int64            `json:"not_looked_at"`
	Unknown    int              `json:"unknown"`
	Causes     []jsonCauseCount `json:"causes"`
	Runs       []jsonDiffRun    `json:"runs"`
}

type jsonCauseCount struct {
	Cause  string `json:"cause"`
	Detail string `json:"detail"`
	Pairs  int    `json:"inversions"`
	Tasks  int    `json:"tasks"`
}

type jsonDiffRun struct {
	At         *string         `json:"run_at"`
	Tasks      int             `json:"tasks"`
	Started    int             `json:"started"`
	TauB       number          `json:"tau_b"`
	Footrule   number          `json:"footrule"`
	K          int             `json:"k"`
	Overlap    number          `json:"overlap"`
	Divergence int             `json:"first_divergence"`
	Inversions int64           `json:"inversions"`
	P50        number          `json:"start_error_p50"`
	P90        number          `json:"start_error_p90"`
	Median     number          `json:"start_error_median"`
	Missed     int             `json:"missed"`
	Horizons   []jsonHorizon   `json:"horizons,omitempty"`
	Order      []jsonItem      `json:"order"`
	Pairs      []jsonInversion `json:"pairs"`
	Lost       []string        `json:"lost,omitempty"`
	New        []string        `json:"new,omitempty"`
}

// A jsonHorizon has the errors of start times that were expected within some time.
type jsonHorizon struct {
	Within number `json:"within_seconds"`
	Starts int    `json:"starts"`
	P50    number `json:"p50"`
	P90    number `json:"p90"`
}

type jsonItem struct {
	Task     string  `json:"task"`
	Expected *string `json:"expected,omitempty"`
	Started  *string `json:"started"`
	Actual   int32   `json:"actual"`
}

type jsonInversion struct {
	Late   string      `json:"late"`
	Early  string      `json:"early"`
	Cause  string      `json:"cause"`
	Detail string      `json:"detail,omitempty"`
	Start  *string     `json:"reserved_for,omitempty"`
	Why    *jsonReason `json:"why,omitempty"`
	Text   string      `json:"text"`
}

func diffRunJSON(run *diff.Run, by diff.Prediction) jsonDiffRun {
	f := &run.Figures
	j := jsonDiffRun{At: rfc3339(run.At), Tasks: f.Tasks, Started: f.Started, TauB: number(f.TauB), Footrule: number(f.Footrule), K: f.TopK, Overlap: number(f.Overlap),
		Divergence: f.Divergence, Inversions: f.Inversions, P50: number(f.Errors.P50), P90: number(f.Errors.P90), Median: number(f.Errors.Median), Missed: f.Errors.Missed,
		Order: []jsonItem{}, Pairs: []jsonInversion{}, Lost: names(run.Lost), New: names(run.New)}
	if by == diff.ByForecast {
		for _, h := range diff.Horizons(run.Items, run.At) {
			j.Horizons = append(j.Horizons, jsonHorizon{number(h.Within.Seconds()), h.Known, number(h.P50), number(h.P90)})
		}
	}
	for _, it := range run.Items {
		j.Order = append(j.Order, jsonItem{it.Task.String(), rfc3339(it.Expected), rfc3339(it.Started), it.Actual})
	}
	for i := range run.Pairs {
		p := &run.Pairs[i]
		pair := jsonInversion{Late: p.Late.String(), Early: p.Early.String(), Cause: string(p.Cause.Kind), Detail: p.Cause.Detail, Start: rfc3339(p.Cause.Start), Text: causeText(&p.Cause)}
		if p.Cause.Why != nil {
			why := reasonsJSON([]model.Reason{*p.Cause.Why}, false)[0]
			pair.Why = &why
		}
		j.Pairs = append(j.Pairs, pair)
	}
	return j
}

func names(tasks []diff.Task) (list []string) {
	for _, t := range tasks {
		list = append(list, t.String())
	}
	return list
}
