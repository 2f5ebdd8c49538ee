package past

import (
	"io"
	"time"

	"qprism/cmd/qprism/next"
	"qprism/cmd/qprism/show"
	"qprism/engine/diff"
	"qprism/engine/model"
)

// WriteJSON writes the whole report.
func (r *diffReport) WriteJSON(w io.Writer) error {
	all, unlooked, unknown := r.inversions()
	report := jsonDiff{Cluster: r.first.Cluster, Release: r.first.Release.String(), Rules: r.rules,
		Predict: string(r.by), Inversions: all, Unlooked: unlooked, Unknown: unknown,
		Runs: []jsonDiffRun{}, Causes: r.causes()}
	for i := range r.runs {
		report.Runs = append(report.Runs, diffRunJSON(&r.runs[i], r.by))
	}
	return show.Output{W: w, Format: "json"}.JSON(report)
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
	At         time.Time       `json:"run_at"`
	Tasks      int             `json:"tasks"`
	Started    int             `json:"started"`
	TauB       float64         `json:"tau_b"`
	Footrule   float64         `json:"footrule"`
	K          int             `json:"k"`
	Overlap    float64         `json:"overlap"`
	Divergence int             `json:"first_divergence"`
	Inversions int64           `json:"inversions"`
	P50        float64         `json:"start_error_p50"`
	P90        float64         `json:"start_error_p90"`
	Median     float64         `json:"start_error_median"`
	Missed     int             `json:"missed"`
	Horizons   []jsonHorizon   `json:"horizons,omitempty"`
	Order      []jsonItem      `json:"order"`
	Pairs      []JSONInversion `json:"pairs"`
	Lost       []string        `json:"lost,omitempty"`
	New        []string        `json:"new,omitempty"`
}

// A jsonHorizon has the errors of start times that were expected within some time.
type jsonHorizon struct {
	Within float64 `json:"within_seconds"`
	Starts int     `json:"starts"`
	P50    float64 `json:"p50"`
	P90    float64 `json:"p90"`
}

type jsonItem struct {
	Task     string    `json:"task"`
	Expected time.Time `json:"expected,omitempty"`
	Started  time.Time `json:"started"`
	Actual   int32     `json:"actual"`
}

type JSONInversion struct {
	Late   string           `json:"late"`
	Early  string           `json:"early"`
	Cause  string           `json:"cause"`
	Detail string           `json:"detail,omitempty"`
	Start  time.Time        `json:"reserved_for,omitempty"`
	Why    *next.JSONReason `json:"why,omitempty"`
	Text   string           `json:"text"`
}

func diffRunJSON(run *diff.Run, by diff.Prediction) jsonDiffRun {
	f := &run.Figures
	j := jsonDiffRun{At: run.At, Tasks: f.Tasks, Started: f.Started, TauB: f.TauB, Footrule: f.Footrule,
		K: f.TopK, Overlap: f.Overlap,
		Divergence: f.Divergence, Inversions: f.Inversions, P50: f.Errors.P50, P90: f.Errors.P90, Median: f.Errors.Median,
		Missed: f.Errors.Missed,
		Order:  []jsonItem{}, Pairs: []JSONInversion{}, Lost: names(run.Lost), New: names(run.New)}
	if by == diff.ByForecast {
		for _, h := range diff.Horizons(run.Items, run.At) {
			j.Horizons = append(j.Horizons, jsonHorizon{h.Within.Seconds(), h.Known, h.P50, h.P90})
		}
	}
	for _, it := range run.Items {
		j.Order = append(j.Order, jsonItem{it.Task.String(), it.Expected, it.Started, it.Actual})
	}
	for i := range run.Pairs {
		p := &run.Pairs[i]
		pair := JSONInversion{Late: p.Late.String(), Early: p.Early.String(), Cause: string(p.Cause.Kind),
			Detail: p.Cause.Detail, Start: p.Cause.Start, Text: causeText(&p.Cause)}
		if p.Cause.Why != nil {
			pair.Why = new(next.ReasonsJSON([]model.Reason{*p.Cause.Why}, false)[0])
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
