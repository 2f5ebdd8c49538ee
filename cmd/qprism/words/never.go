package words

import (
	"fmt"
	"strings"

	"qprism/cmd/qprism/show"
	"qprism/engine/batch"
	"qprism/engine/model"
)

// Never explains in several lines why a job can never run, and what must change. It is empty for other
// jobs.
func Never(a *batch.Chance) []string {
	const head = "It can never run with the current configuration"
	switch {
	case !a.Never:
		return nil
	case len(a.Blames) == 0:
		return []string{head + ": " + Summary(a.Why) + "; changing one of its requests does not help."}
	case len(a.Blames) == 1:
		return []string{head + ":", "  " + BlameText(&a.Blames[0]) + "."}
	}
	lines := []string{head + ". One of these changes is enough:"}
	if a.All {
		lines[0] = head + ". All of these must change:"
	}
	for i := range a.Blames {
		lines = append(lines, "  "+BlameText(&a.Blames[i]))
	}
	return lines
}

// NeverShort explains why a job can never run, in a few words that fit into a column. It is empty for other
// jobs.
func NeverShort(a *batch.Chance) string {
	switch {
	case !a.Never:
		return ""
	case len(a.Blames) == 0:
		return "can never run: " + Summary(a.Why)
	}
	return "can never run: " + shortBlame(&a.Blames[0])
}

func shortBlame(b *batch.Blame) string {
	switch {
	case b.Kind == batch.Access:
		return "no access for " + b.Option
	case b.Kind == batch.NoShare:
		return b.Option + " has no shares"
	case b.Kind == batch.Quota:
		return "quota " + b.Option
	case b.Kind == batch.Lacking:
		return "does not request " + b.Option
	case len(b.Nearest) > 0:
		return b.Option + " (" + b.Nearest[0] + " fits)"
	}
	return b.Option
}

// BlameText describes the problem of a request, and what would fit.
func BlameText(b *batch.Blame) string {
	nearest := strings.Join(b.Nearest, " or ")
	switch b.Kind {
	case batch.TooMuch:
		text := b.Option + " is too much"
		if nearest != "" {
			text += "; " + nearest + " would fit"
		}
		return text
	case batch.Absent:
		if nearest != "" {
			return b.Option + ": the cluster does not have it; " + nearest + " would fit"
		}
		return b.Option + ": the cluster does not have it"
	case batch.Lacking:
		return "it does not request " + b.Option + ", which is FORCED; with " + nearest + " it would fit"
	case batch.Access:
		return "no suitable queue instance or vnode admits " + b.Option
	case batch.NoShare:
		return b.Option + " has no shares in the fairshare tree, so its jobs never run (fairshare_enforce_no_shares)"
	case batch.Quota:
		return "quota " + b.Option + " never allows this much"
	}
	if nearest != "" {
		return b.Option + " fits nowhere; " + nearest + " would fit"
	}
	return b.Option + " fits nowhere; without this request, the job would fit"
}

// A JSONBlame is a blame in JSON.
type JSONBlame struct {
	Kind    string   `json:"kind"`
	Request string   `json:"request"`
	Nearest []string `json:"nearest"`
	Most    string   `json:"most,omitempty"`
	Text    string   `json:"text"`
}

// JSONChance is the verdict on a job; never is null if it is not known.
type JSONChance struct {
	Never   *bool       `json:"never"`
	Because []JSONBlame `json:"never_because,omitempty"`
	// everything in never_because has to change; else one thing is enough
	All     bool     `json:"never_needs_all,omitempty"`
	Unknown []string `json:"never_lacks,omitempty"` // what the bundle lacks for an answer
}

// JSONVerdict is the verdict on a job in a list. A job that does not wait has none.
type JSONVerdict struct {
	// it can never run with the current configuration; absent if that is not known
	Never   *bool       `json:"never,omitempty"`
	Because []JSONBlame `json:"never_because,omitempty"`
	// everything in never_because has to change; else one thing is enough
	All bool `json:"never_needs_all,omitempty"`
}

// VerdictJSON returns the verdict on a job of a list.
func VerdictJSON(s Judge, j *model.Job) JSONVerdict {
	if j == nil || !j.Waits() {
		return JSONVerdict{}
	}
	a := NeverJSON(s.ChanceOf(j))
	return JSONVerdict{a.Never, a.Because, a.All}
}

// NeverJSON returns the verdict on a job.
func NeverJSON(a *batch.Chance) JSONChance {
	if len(a.Unknown) > 0 {
		return JSONChance{Unknown: a.Unknown}
	}
	j := JSONChance{Never: &a.Never, All: a.All}
	for i := range a.Blames {
		b := &a.Blames[i]
		j.Because = append(j.Because, JSONBlame{string(b.Kind), b.Option, append([]string{}, b.Nearest...),
			b.Most, BlameText(b)})
	}
	return j
}

// A Judge says which jobs can never run.
type Judge interface {
	ChanceOf(*model.Job) *batch.Chance
	NeverRuns(*model.Job) bool
}

// mostExplained is the number of jobs in a list for which the cause is given.
const mostExplained = 20

// NeverIn returns a function that says whether a job can never run. For the first few jobs it adds the cause.
// It is empty for other jobs.
func NeverIn(s Judge) func(*model.Job) string {
	n := 0
	return func(j *model.Job) string {
		switch {
		case !s.NeverRuns(j):
			return ""
		case n == mostExplained:
			return "can never run"
		}
		n++
		return NeverShort(s.ChanceOf(j))
	}
}

// NeverNote returns a line for the end of a list with jobs that can never run. It names one of them. It is
// empty if there is none.
func NeverNote(s Judge, jobs []*model.Job) (note, job string) {
	n := 0
	for _, j := range jobs {
		if !s.NeverRuns(j) {
			continue
		}
		if n++; n == 1 {
			job = j.KnownAs()
		}
	}
	switch n {
	case 0:
		return "", ""
	case 1:
		return fmt.Sprintf("Job %s can never run with the current configuration", job), job
	}
	return fmt.Sprintf("%s, such as job %s, can never run with the current configuration", show.Plural(n, "job"), job), job
}
