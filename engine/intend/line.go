package intend

import (
	"fmt"
	"strings"
	"time"

	"qprism/engine/model"
)

// Lines are jobs as lines of a lab: when and by whom each is submitted, and how. Hours count from the day of
// the first job: 26:00 is 2:00 on the next day.
func Lines(jobs []*model.Job) (lines []string) {
	var first time.Time
	for _, j := range jobs {
		if first.IsZero() || j.Submitted.Before(first) {
			first = j.Submitted
		}
	}
	day := first.UTC().Truncate(24 * time.Hour)
	for _, j := range jobs {
		lines = append(lines, line(j, day))
	}
	return lines
}

func line(j *model.Job, day time.Time) string {
	s := int64(j.Submitted.Sub(day) / time.Second)
	words := []string{fmt.Sprintf("%02d:%02d:%02d", s/3600, s/60%60, s%60), j.Owner + ":"}
	if j.PBS != nil {
		return strings.Join(append(append(words, linePBS(j)...), "job.sh"), " ")
	}
	words = append(words, "qsub")
	if j.Project != "" {
		words = append(words, "-P", j.Project)
	}
	if len(j.PERange) > 0 {
		words = append(words, "-pe", j.PE, model.SlotsText(j.PERange))
	}
	if len(j.Hard) > 0 {
		var requests []string
		for _, r := range j.Hard {
			requests = append(requests, r.Resource+"="+r.Value)
		}
		words = append(words, "-l", strings.Join(requests, ","))
	}
	if j.PosixPriority != 0 {
		words = append(words, "-p", fmt.Sprint(j.PosixPriority))
	}
	if j.JobShare != 0 {
		words = append(words, "-js", fmt.Sprint(j.JobShare))
	}
	if j.OverrideTickets != 0 {
		words = append(words, "-ot", fmt.Sprint(j.OverrideTickets))
	}
	words = append(words, "job.sh")
	for _, t := range j.Tasks {
		for n, g := range t.Granted {
			words = append(words, []string{"=>", "+"}[min(n, 1)]+" "+g.Instance)
		}
	}
	return strings.Join(words, " ")
}
