package past

import (
	"io"

	"qprism/cmd/qprism/next"
	"qprism/cmd/qprism/show"
	"qprism/engine/diff"
	"qprism/engine/model"
)

// WriteJSON writes everything.
func (r *diffReport) WriteJSON(w io.Writer) error {
	all, unlooked, unknown := r.inversions()
	report := jsonDiff{Cluster: r.first.Cluster, Release: r.first.Release.String(), Rules: r.rules, Predict: string(r.by), Inversions: all, Unlooked: unlooked, Unknown: unknown,
		Runs: []jsonDiffRun{}, Causes: []jsonCauseCount{}}
	for _, c := range r.causes() {
		report.Causes = append(report.Causes, jsonCauseCount{string(c.kind), c.detail, c.pairs, c.tasks})
	}
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
	At         *string         `json:"run_at"`
	Tasks      int             `json:"tasks"`
	Started    int             `json:"started"`
	TauB       show.Number     `json:"tau_b"`
	Footrule   show.Number     `json:"footrule"`
	K          int             `json:"k"`
	Overlap    show.Number     `json:"overlap"`
	Divergence int             `json:"first_divergence"`
	Inversions int64           `json:"inversions"`
	P50        show.Number     `json:"start_error_p50"`
	P90        show.Number     `json:"start_error_p90"`
	Median     show.Number     `json:"start_error_median"`
	Missed     int             `json:"missed"`
	Horizons   []jsonHorizon   `json:"horizons,omitempty"`
	Order      []jsonItem      `json:"order"`
	Pairs      []JSONInversion `json:"pairs"`
	Lost       []string        `json:"lost,omitempty"`
	New        []string        `json:"new,omitempty"`
}

// A jsonHorizon has the errors of start times that were expected within some time.
type jsonHorizon struct {
	Within show.Number `json:"within_seconds"`
	Starts int         `json:"starts"`
	P50    show.Number `json:"p50"`
	P90    show.Number `json:"p90"`
}

type jsonItem struct {
	Task     string  `json:"task"`
	Expected *string `json:"expected,omitempty"`
	Started  *string `json:"started"`
	Actual   int32   `json:"actual"`
}

type JSONInversion struct {
	Late   string           `json:"late"`
	Early  string           `json:"early"`
	Cause  string           `json:"cause"`
	Detail string           `json:"detail,omitempty"`
	Start  *string          `json:"reserved_for,omitempty"`
	Why    *next.JSONReason `json:"why,omitempty"`
	Text   string           `json:"text"`
}

func diffRunJSON(run *diff.Run, by diff.Prediction) jsonDiffRun {
	f := &run.Figures
	j := jsonDiffRun{At: show.Rfc3339(run.At), Tasks: f.Tasks, Started: f.Started, TauB: show.Number(f.TauB), Footrule: show.Number(f.Footrule), K: f.TopK, Overlap: show.Number(f.Overlap),
		Divergence: f.Divergence, Inversions: f.Inversions, P50: show.Number(f.Errors.P50), P90: show.Number(f.Errors.P90), Median: show.Number(f.Errors.Median), Missed: f.Errors.Missed,
		Order: []jsonItem{}, Pairs: []JSONInversion{}, Lost: names(run.Lost), New: names(run.New)}
	if by == diff.ByForecast {
		for _, h := range diff.Horizons(run.Items, run.At) {
			j.Horizons = append(j.Horizons, jsonHorizon{show.Number(h.Within.Seconds()), h.Known, show.Number(h.P50), show.Number(h.P90)})
		}
	}
	for _, it := range run.Items {
		j.Order = append(j.Order, jsonItem{it.Task.String(), show.Rfc3339(it.Expected), show.Rfc3339(it.Started), it.Actual})
	}
	for i := range run.Pairs {
		p := &run.Pairs[i]
		pair := JSONInversion{Late: p.Late.String(), Early: p.Early.String(), Cause: string(p.Cause.Kind), Detail: p.Cause.Detail, Start: show.Rfc3339(p.Cause.Start), Text: causeText(&p.Cause)}
		if p.Cause.Why != nil {
			why := next.ReasonsJSON([]model.Reason{*p.Cause.Why}, false)[0]
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
