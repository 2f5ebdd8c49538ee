package next

import (
	"context"
	"io"
	"time"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/forecast"
	"qprism/engine/model"
)

// An outlook prints what starts next, by the rules of one batch system.
type outlook interface {
	writeSchedule(w io.Writer, lines []model.ScheduleLine) error
	compare(ctx context.Context, d *cli.Deps, opts planOptions, w io.Writer) error
	pictured(p *model.Plan) *model.Plan // a plan with what its picture needs besides
	drawn(at time.Time, f *forecast.Forecast, o forecast.Options) *model.Plan
	adapt(t *show.Sheet) // names columns in the system's words
	tally(p *model.Plan) string
	why(p *model.Plan, j *model.Job, task uint32) *whyReport // task 0 stands for all of an array
}

// outlookOf is the outlook of a subject's system.
func outlookOf(s *subject.Subject) outlook {
	if s.PBS != nil {
		return pbsOutlook{subject.OpenPBS{Subject: s}}
	}
	return geOutlook{subject.GridEngine{Subject: s}}
}

// geOutlook is that of Grid Engine.
type geOutlook struct{ subject.GridEngine }

// pbsOutlook is that of PBS.
type pbsOutlook struct{ subject.OpenPBS }

func (geOutlook) adapt(*show.Sheet) {}

func (geOutlook) tally(p *model.Plan) string { return tallyText(p) }
