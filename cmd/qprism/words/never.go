package words

import (
	"strings"

	"qprism/engine/batch"
	"qprism/engine/model"
)

// Never says in lines that a job can never run, and what must change; empty for other jobs.
func Never(a *batch.Chance) []string {
	const head = "It can never run as the cluster is configured"
	switch {
	case !a.Never:
		return nil
	case len(a.Blames) == 0:
		return []string{head + ": " + Summary(a.Why) + "; no change to one of its requests helps."}
	case len(a.Blames) == 1:
		return []string{head + ":", "  " + BlameText(&a.Blames[0]) + "."}
	}
	lines := []string{head + ". One of these changes is enough:"}
	if a.All {
		lines[0] = head + ". All of these have to change:"
	}
	for i := range a.Blames {
		lines = append(lines, "  "+BlameText(&a.Blames[i]))
	}
	return lines
}

// NeverShort says it in the width of a column; empty for other jobs.
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
		return "does not ask for " + b.Option
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
		if nearest == "" {
			return b.Option + " is more than there is"
		}
		return b.Option + " is more than there is; " + nearest + " would fit"
	case batch.Absent:
		if nearest != "" {
			return b.Option + ": the cluster has no such thing; " + nearest + " would fit"
		}
		return b.Option + ": the cluster has no such thing"
	case batch.Lacking:
		return "it does not ask for " + b.Option + ", which is forced; with " + nearest + " it would fit"
	case batch.Access:
		return "no place that would suit it lets " + b.Option + " in"
	case batch.NoShare:
		return b.Option + " has no shares in the fairshare tree, and who has none runs nothing (enforce_no_shares)"
	case batch.Quota:
		return "quota " + b.Option + " never allows as much"
	}
	if nearest != "" {
		return b.Option + " suits no place; " + nearest + " would fit"
	}
	return b.Option + " suits no place; it would fit without"
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
	All     bool        `json:"never_needs_all,omitempty"` // everything in never_because must change; else one thing is enough
	Unknown []string    `json:"never_lacks,omitempty"`     // missing files for an answer
}

// JSONVerdict is the verdict on a job in a list. A job that does not wait has none.
type JSONVerdict struct {
	Never   *bool       `json:"never,omitempty"` // it can never run on the configured cluster; absent if not known
	Because []JSONBlame `json:"never_because,omitempty"`
	All     bool        `json:"never_needs_all,omitempty"` // everything in never_because must change; else one thing is enough
}

// VerdictJSON is the verdict on a job of a list.
func VerdictJSON(s Judge, j *model.Job) JSONVerdict {
	if j == nil || !j.Waits() {
		return JSONVerdict{}
	}
	a := NeverJSON(s.ChanceOf(j))
	return JSONVerdict{a.Never, a.Because, a.All}
}

// NeverJSON is the verdict on a job.
func NeverJSON(a *batch.Chance) JSONChance {
	if len(a.Unknown) > 0 {
		return JSONChance{Unknown: a.Unknown}
	}
	j := JSONChance{Never: &a.Never, All: a.All}
	for i := range a.Blames {
		b := &a.Blames[i]
		j.Because = append(j.Because, JSONBlame{string(b.Kind), b.Option, append([]string{}, b.Nearest...), b.Most, BlameText(b)})
	}
	return j
}
