package queue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/compat"
	"qprism/engine/gridengine/schedule"
	"qprism/engine/model"
	"qprism/engine/model/quirk"
)

func newReleases(d *cli.Deps) *cobra.Command {
	c, sel := cli.Command(d, "releases [RELEASE [BUNDLE]]", runReleases)
	cli.Prints(c, "table json")
	c.Args = cobra.MaximumNArgs(2)
	c.ValidArgsFunction = cobra.FixedCompletions(compat.Names(), cobra.ShellCompDirectiveNoFileComp)
	c.Flags().Int64Var(&sel.Snapshot, "snapshot", 0, "plan the next run of the stored snapshot with this `number`")
	return c
}

func runReleases(ctx context.Context, d *cli.Deps, sel subject.Selection, args []string, w io.Writer) error {
	if len(args) == 0 {
		return printReleases(d.Output(w))
	}
	met, err := metBy(ctx, d, &sel, args)
	if err != nil {
		return err
	}
	return printRelease(d.Output(w), args[0], met, w)
}

// releaseNamed is a release by its name or a patch level.
func releaseNamed(name string) (*compat.Release, error) {
	r := compat.Named(name)
	if nearest, known := compat.Nearest(model.Release{Version: name}); r == nil && known {
		r = compat.Named(nearest)
	}
	if r == nil {
		return nil, fmt.Errorf("release %q is not known; known: %s", name,
			show.JoinOr(compat.Names()[:len(compat.Releases)]))
	}
	return r, nil
}

// metBy says for each quirk what would change without it in the next run of a bundle. It is nil without a
// bundle.
func metBy(ctx context.Context, d *cli.Deps, sel *subject.Selection, args []string) (map[string]string, error) {
	if len(args) < 2 && sel.Snapshot == 0 {
		return nil, nil
	}
	r, err := releaseNamed(args[0])
	if err != nil {
		return nil, err
	}
	s, err := subject.Load(ctx, d, sel, args[1:])
	if err != nil {
		return nil, err
	}
	if !s.HasQuirks() {
		return nil, errors.New("releases are for Grid Engine, but this is a bundle of " + s.System.Name())
	}
	return faultsMet(s, r, s.TakenAt), nil
}

// faultsMet says for each quirk of a release what a run would do differently without it. It is empty if nothing
// changes.
func faultsMet(s *model.Snapshot, r *compat.Release, at time.Time) map[string]string {
	with := schedule.Run(s, schedule.Options{At: at, Quirks: compat.Without(r.Name, "")})
	met := map[string]string{}
	for _, q := range r.Quirks() {
		without := schedule.Run(s, schedule.Options{At: at, Quirks: compat.Without(r.Name, q.ID)})
		met[q.ID] = otherwise(with, without)
	}
	return met
}

// mostFaultWork limits the size of plans that are tested for quirks without a request: waiting jobs times queue
// instances. Each quirk needs a plan.
const mostFaultWork = 3000

// FaultsWords lists, in one line, the quirks of the release that changed this plan. It is empty if no quirk
// changed it or the release has none. It is also empty if the cluster is too large to try them.
func FaultsWords(s *subject.Subject, at time.Time) string {
	r := compat.Named(s.Rules)
	if !s.HasQuirks() || r == nil || waiting(s.Snapshot)*len(s.Instances) > mostFaultWork {
		return ""
	}
	met := faultsMet(s.Snapshot, r, at)
	var ids []string
	for _, q := range r.Quirks() {
		if met[q.ID] != "" {
			ids = append(ids, q.ID)
		}
	}
	if len(ids) == 0 {
		return ""
	}
	return fmt.Sprintf("Undocumented behavior of release %s changed this plan (%s); \"%s\" explains it", r.Name,
		show.JoinAnd(ids), s.Command("releases", r.Name))
}

// waiting is how many jobs of a snapshot wait.
func waiting(s *model.Snapshot) (n int) {
	for i := range s.Jobs {
		if s.Jobs[i].Waits() {
			n++
		}
	}
	return n
}

// otherwise lists the differences between two plans, for the first jobs. It is empty if there are none.
func otherwise(with, without *model.Plan) string {
	const most = 3
	before := map[string]bool{}
	for i := range with.Decisions {
		before[decided(&with.Decisions[i])] = true
	}
	var list []string
	for i := range without.Decisions {
		if text := decided(&without.Decisions[i]); !before[text] {
			list = append(list, text)
		}
	}
	if more := len(list) - most; more > 0 {
		list = append(list[:most], fmt.Sprintf("%d more", more))
	}
	return strings.Join(list, "; ")
}

// decided is a decision in words: "job 3 has a reservation at 17:37:56 on all.q@node01".
func decided(d *model.Decision) string {
	text := fmt.Sprintf("job %d ", d.Job)
	switch {
	case d.Verdict == model.Now:
		text += "starts"
	case d.Verdict == model.Never:
		text += "waits"
	case d.Start.Unix() == 0:
		text += "has a reservation at time 0"
	default:
		text += "has a reservation at " + d.Start.UTC().Format("2006-01-02 15:04:05")
	}
	for i, g := range d.Slots {
		text += []string{" on ", "+"}[min(i, 1)] + g.Instance
	}
	return text
}

// lasts says since and until which release a quirk is there.
func lasts(q *quirk.Quirk) string {
	if q.Until == "" {
		return "since " + q.From
	}
	return "since " + q.From + ", until " + q.Until
}

// jsonRelease is a release as JSON.
type jsonRelease struct {
	Name     string   `json:"release"`
	Product  string   `json:"product"`
	Versions string   `json:"versions"`
	After    string   `json:"after,omitempty"`
	New      []string `json:"new"`
	Gone     []string `json:"gone"`
	Quirks   int      `json:"quirks"`
}

// jsonQuirk is a quirk as JSON.
type jsonQuirk struct {
	ID       string   `json:"id"`
	What     string   `json:"what"`
	Manual   string   `json:"manual,omitempty"` // what a manual says instead; absent where none speaks of it
	Releases []string `json:"releases"`
	Since    string   `json:"since"`
	Until    string   `json:"until,omitempty"`
	Without  string   `json:"without_it,omitempty"` // what the next run would do differently without it
}

func releaseJSON(r *compat.Release) jsonRelease {
	j := jsonRelease{Name: r.Name, Product: r.Product, Versions: r.Versions, New: r.New(),
		Gone: r.Gone(), Quirks: len(r.Quirks())}
	if r.After != nil {
		j.After = r.After.Name
	}
	return j
}

func printReleases(out show.Output) error {
	if out.Format == "json" {
		var list []jsonRelease
		for _, r := range compat.Releases {
			list = append(list, releaseJSON(r))
		}
		return out.JSON(list)
	}
	t := show.NewSheet("release", "product", "versions", "after", ">new", ">gone", ">faults")
	for _, r := range compat.Releases {
		j := releaseJSON(r)
		t.Add(j.Name, j.Product, j.Versions, j.After, fmt.Sprint(len(j.New)), fmt.Sprint(len(j.Gone)), fmt.Sprint(j.Quirks))
	}
	out.Sheet(t)
	out.Say("")
	out.Say("qprism treats other releases as the nearest of these, and %q as the manual describes.", compat.Fixed)
	out.Say("Next: %s", show.Step("list the faults of 8.1.9", "qprism releases 8.1.9"))
	return nil
}

// printRelease lists the quirks of a release, given by its name or a patch level.
func printRelease(out show.Output, name string, met map[string]string, w io.Writer) error {
	r, err := releaseNamed(name)
	if err != nil {
		return err
	}
	if out.Format == "json" {
		list := []jsonQuirk{}
		for _, q := range r.Quirks() {
			list = append(list, jsonQuirk{q.ID, q.What, q.Claim(), compat.With(&q), q.From, q.Until, met[q.ID]})
		}
		return out.JSON(list)
	}
	if !out.Terminal {
		t := show.NewSheet("fault", "effect", "the manual says", "releases", "since", "without it")
		for _, q := range r.Quirks() {
			t.Add(q.ID, q.What, q.Claim(), strings.Join(compat.With(&q), " "), lasts(&q), met[q.ID])
		}
		return out.Sheet(t)
	}
	here := 0
	for _, q := range r.Quirks() {
		text := q.What + " (" + lasts(&q) + ": " + strings.Join(compat.With(&q), ", ") + ")"
		if claim := q.Claim(); claim != "" {
			text += "; where " + claim
		}
		if met[q.ID] != "" {
			here++
			text += "; here, without it: " + met[q.ID]
		}
		if met == nil || met[q.ID] != "" {
			fmt.Fprintf(w, "%-13s %s\n", q.ID, show.Wrapped(show.Printable(text), strings.Repeat(" ", 14), show.Page-14))
		}
	}
	if met != nil {
		out.Say("%d of %s change the next run of this bundle; each of the others alone changes nothing.",
			here, show.Plural(len(r.Quirks()), "fault"))
	}
	return nil
}
