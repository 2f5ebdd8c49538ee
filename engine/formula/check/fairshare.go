package check

import (
	"slices"

	"qprism/engine/formula"
)

// sharesAsked are the numbers of the fairshare tree, and whether a job with more of one is more deserving; PP-718.
var sharesAsked = []struct {
	name  string
	more  bool
	raise func(*formula.Input)
	says  string
}{
	{"fairshare_tree_usage", false, func(in *formula.Input) { in.TreeUsage += 0.01 },
		"the value rises with fairshare_tree_usage, so entities that used more come first"},
	{"fairshare_perc", true, func(in *formula.Input) { in.Perc += 0.01 },
		"the value falls with fairshare_perc, so entities with larger shares come last"},
}

// deprecatedShare is fairshare_perc's name before PP-718.
const deprecatedShare = "fair_share_perc"

// compareShares reports a formula that uses shares the wrong way round: values are raised one by one, and
// higher values go first.
func (r *Report) compareShares(f *formula.Job, inputs ...formula.Input) {
	if slices.Contains(r.Reads, deprecatedShare) {
		r.add(Problem{Severity: Note, Kind: Deprecated, Text: deprecatedShare + " is deprecated: its name is fairshare_perc"})
	}
	for _, ask := range sharesAsked {
		if !slices.Contains(r.Reads, ask.name) &&
			(ask.name != "fairshare_perc" || !slices.Contains(r.Reads, deprecatedShare)) {
			continue
		}
		wrong, right := 0, 0
		for _, in := range inputs {
			before := f.Evaluate(in)
			ask.raise(&in)
			after := f.Evaluate(in)
			switch {
			case before.Err != nil || after.Err != nil || before.NoType != "" || after.NoType != "":
			case (after.Exact > before.Exact) == ask.more && after.Exact != before.Exact:
				right++
			case after.Exact != before.Exact:
				wrong++
			}
		}
		if wrong > 0 && right == 0 {
			r.add(Problem{Severity: Warning, Kind: WrongWay, Text: ask.says,
				Hint: "fairshare_factor combines both, and is higher for entities that used less of their share: " +
					"pow(2, " +
					"-(fairshare_tree_usage/fairshare_perc))"})
		}
	}
}
