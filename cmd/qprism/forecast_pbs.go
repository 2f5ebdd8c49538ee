package main

import (
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

// forecast plays cycles of PBS forward. What no cycle looks at waits as well.
func (s openPBS) forecast(o forecast.Options) *forecast.Forecast {
	f := cycle.Forecast(s.Snapshot, o)
	started := map[string]bool{}
	for i := range f.Starts {
		started[f.Starts[i].ID] = true
	}
	for _, d := range cycle.Aside(s.Snapshot) {
		if !started[d.ID] {
			f.Waits = append(f.Waits, d)
		}
	}
	return f
}

func (s openPBS) history() *forecast.History {
	ended := cycle.Ended(s.PBS.Accounting)
	if len(ended) == 0 {
		return nil
	}
	return forecast.Learn(ended)
}

func (openPBS) cadence() string {
	return "A cycle takes place whenever a job, a reservation, primetime or dedicated time begins or ends."
}

func (s pbsOutlook) drawn(at time.Time, f *forecast.Forecast, _ forecast.Options) *model.Plan {
	p := &model.Plan{RunAt: at, Lines: predictedLines(f, "H", "ncpus")}
	return s.pictured(p)
}
