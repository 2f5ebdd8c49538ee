package next

import (
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
)

func (s pbsOutlook) drawn(at time.Time, f *forecast.Forecast, _ forecast.Options) *model.Plan {
	p := &model.Plan{RunAt: at, Lines: predictedLines(f, "H", "ncpus")}
	return s.pictured(p)
}
