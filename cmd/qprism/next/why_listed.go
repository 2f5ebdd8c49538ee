package next

import (
	"io"
	"strings"
	"time"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/queue"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
)

// A listedJob is what a mere listing tells of a job.
type listedJob struct {
	Job   jobKey        `json:"job"`
	Name  string        `json:"name"`
	Owner string        `json:"owner"`
	State string        `json:"state"`
	Age   time.Duration `json:"age,omitempty"` // since it was submitted, where the listing says when it was made
	Place *standing     `json:"place"`
	Lacks string        `json:"lacks"` // without which nobody can say why the job waits
}

// whyListed returns state, age and place of a job, if no run can be planned with the bundle.
func whyListed(d *cli.Deps, s *subject.Subject, j *model.Job, lack error, w io.Writer) error {
	l := listedJob{Job: jobKey{j.Number, j.ServerID()}, Name: j.Name, Owner: j.Owner, State: j.States(),
		Lacks: lack.Error(),
		Place: standingOf(s, j.KnownAs())}
	if !s.TakenAt.IsZero() && !j.Submitted.IsZero() {
		l.Age = s.TakenAt.Sub(j.Submitted)
	}
	out := d.Output(w)
	if d.Format == "json" {
		return out.JSON(l)
	}
	out.Terminal, out.Format = true, "table"
	subject.PrintHeader(out, s, time.Time{}, "")
	show.Answer(out, "", show.Printable(queue.Describe(j, j.KnownAs(), "", out)))
	out.Say("")
	switch {
	case strings.Contains(l.State, "E"):
		show.Answer(out, "Not running:", "it is in error state; \"qstat -j\" shows why, \"qmod -cj\" clears the error")
	case strings.Contains(l.State, "h"):
		show.Answer(out, "Not running:", "it is on hold; qrls releases it")
	case j.Waits():
		show.Answer(out, "Not running:", "the reason is not known; "+show.Printable(l.Lacks))
	}
	show.Answer(out, "State:", show.Printable(l.State))
	if l.Age > 0 {
		show.Answer(out, "Age:", show.SpanText(l.Age))
	}
	if l.Place != nil {
		show.Answer(out, "Place:", l.Place.text())
	}
	show.Answer(out, "Next:", "make a full bundle with "+s.Batch.FullBundle())
	return nil
}
