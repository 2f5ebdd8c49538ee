package next

import (
	"fmt"

	"qprism/cmd/qprism/show"
)

// aheadWords says how much work comes first. It is empty for a job that is held back.
func (r *whyReport) aheadWords() string {
	a := r.Ahead
	if a == nil {
		return ""
	}
	text := "no waiting job"
	if a.Jobs > 0 {
		text = show.Plural(a.Jobs, "waiting job")
		if a.Tasks > a.Jobs {
			text += " (" + show.Plural(a.Tasks, "task") + ")"
		}
		text += " with " + r.work(a.Hours, a.Endless)
	}
	if a.Running == 0 && a.RunningEndless == 0 {
		return text + "; no running job has run time left"
	}
	return text + "; still running: " + r.work(a.Running, a.RunningEndless)
}

// work prints slot-hours or processor-hours, and the tasks that nothing ends.
func (r *whyReport) work(hours float64, endless int) string {
	text := fmt.Sprintf("%.1f %s", hours, r.words.Work)
	if hours < 1 {
		text = fmt.Sprintf("%.2f %s", hours, r.words.Work)
	}
	if endless == 0 {
		return text
	}
	without := show.Plural(endless, "task") + " without a run time limit"
	if hours == 0 {
		return without
	}
	return text + " and " + without
}
