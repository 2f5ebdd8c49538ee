package main

import (
	"context"
	"io"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
)

// An outlook prints what starts next, by the rules of one batch system.
type outlook interface {
	writeSchedule(w io.Writer, lines []model.ScheduleLine) error
	compare(ctx context.Context, d *deps, opts planOptions, w io.Writer) error
	pictured(p *model.Plan) *model.Plan // a plan with what its picture needs besides
	drawn(at time.Time, f *forecast.Forecast, o forecast.Options) *model.Plan
	adapt(t *sheet) // names columns in the system's words
	tally(p *model.Plan) string
	why(p *model.Plan, j *model.Job, task uint32) *whyReport // task 0 stands for all of an array
}

// outlookOf is the outlook of a subject's system.
func outlookOf(s *subject) outlook {
	if s.PBS != nil {
		return pbsOutlook{openPBS{s}}
	}
	return geOutlook{gridEngine{s}}
}

// geOutlook is that of Grid Engine.
type geOutlook struct{ gridEngine }

// pbsOutlook is that of PBS.
type pbsOutlook struct{ openPBS }

func (geOutlook) adapt(*sheet) {}

func (geOutlook) tally(p *model.Plan) string { return tallyText(p) }
