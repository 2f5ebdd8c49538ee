package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/compat"
	"qprism/engine/batch"
	"qprism/engine/gridengine/audit"
	"qprism/engine/model"
)

// A fit says how well the rules of a release explain what a master printed.
type fit struct {
	release string
	sum     batch.Count
}

// jsonFit is a fit as JSON.
type jsonFit struct {
	Release string `json:"release"`
	batch.Count
	Best bool `json:"best"`
}

// tryReleases audits a snapshot by the rules of every release that is known.
func tryReleases(ctx context.Context, s *subject.Subject) (fits []fit, err error) {
	for _, r := range compat.Releases {
		look := audit.Options{Options: s.Look}
		look.Quirks = compat.Profiles[r.Name]
		report := audit.Run(s.Snapshot, look)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		fits = append(fits, fit{r.Name, report.Sum()})
	}
	return fits, nil
}

// bestOf are the releases that fit best: fewest numbers are unexplained, then most agree. Of equal ones the
// one that the files' shape speaks for is alone.
func bestOf(fits []fit, s *model.Snapshot) (best []string) {
	first := slices.MinFunc(fits, compareFits)
	for _, f := range fits {
		if compareFits(f, first) == 0 {
			best = append(best, f.release)
		}
	}
	if name, _ := compat.For(s.Release); slices.Contains(best, name) && s.Release != (model.Release{}) {
		return []string{name}
	}
	return best
}

func compareFits(a, b fit) int {
	return cmp.Or(cmp.Compare(a.sum.Unexplained, b.sum.Unexplained), cmp.Compare(b.sum.Agree, a.sum.Agree))
}

// printFits audits by the rules of every release, and names the one that fits best.
func printFits(ctx context.Context, s *subject.Subject, out show.Output) error {
	if !s.HasQuirks() {
		return errors.New("--try-releases is for bundles of Grid Engine; for PBS, qprism follows its release " +
			subject.PBSRules + " behaves")
	}
	fits, err := tryReleases(ctx, s)
	if err != nil {
		return err
	}
	best := bestOf(fits, s.Snapshot)
	if out.Format == "json" {
		list := []jsonFit{}
		for _, f := range fits {
			list = append(list, jsonFit{f.release, f.sum, slices.Contains(best, f.release)})
		}
		return out.JSON(list)
	}
	t := show.NewSheet("release", ">numbers", ">agree", ">stale", ">input missing", ">unexplained", "best")
	for _, f := range fits {
		t.Add(f.release, fmt.Sprint(f.sum.Reported), fmt.Sprint(f.sum.Agree), fmt.Sprint(f.sum.Stale),
			fmt.Sprint(f.sum.Missing),
			fmt.Sprint(f.sum.Unexplained),
			map[bool]string{true: "yes"}[slices.Contains(best, f.release)])
	}
	out.Sheet(t)
	out.Say("")
	out.Say("Best fit: %s.", strings.Join(best, ", "))
	return nil
}
