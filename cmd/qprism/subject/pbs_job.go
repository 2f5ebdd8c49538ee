package subject

import (
	"fmt"
	"strconv"
	"strings"

	"qprism/cmd/qprism/show"
	"qprism/engine/model"
)

// JobText prints the job of a decision: a number for Grid Engine, an id for PBS.
func JobText(d *model.Decision) string {
	switch {
	case d.ID == "":
		return show.Number32(d.Job)
	case len(d.Tasks) > 0 && strings.Contains(d.ID, "[]") && d.Verdict == model.Now:
		return strings.Replace(d.ID, "[]", "["+subjobsText(d.Tasks)+"]", 1)
	}
	return d.ID
}

// subjobsText prints indices as PBS does: "1-3", "1-9:2".
func subjobsText(ranges []model.Range) string {
	var parts []string
	for _, r := range ranges {
		text := show.Number32(r.Min)
		if r.Max > r.Min {
			text += "-" + show.Number32(r.Max)
		}
		if r.Step > 1 && r.Max > r.Min {
			text += ":" + show.Number32(r.Step)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ",")
}

// Find finds a PBS job by id, with or without the server's name: 12, 12.server, 12[], 12[3].
func (s OpenPBS) Find(text string) (*model.Job, error) {
	sequence, _, _ := strings.Cut(text, ".")
	digits, _, _ := strings.Cut(sequence, "[")
	if _, err := strconv.ParseUint(digits, 10, 32); err != nil {
		return nil, fmt.Errorf("%q is not a job; examples: 12, 12.server, 12[] or 12[3]", text)
	}
	var array *model.Job
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if j.ServerID() == "" || show.Number32(j.Number) != digits || j.IsWaitingSubjob() {
			continue
		}
		short, _, _ := strings.Cut(j.PBS.ID, ".")
		switch {
		case j.PBS.ID == text, short == sequence:
			return j, nil
		case j.Array && j.PBS.Array == "":
			array = j
		}
	}
	if array == nil {
		return nil, fmt.Errorf("job %s is not in the snapshot; \"qprism priorities\" lists its jobs", show.Printable(text))
	}
	return array, nil // for a subjob that has not started, use the array
}
