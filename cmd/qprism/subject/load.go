package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/compat"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/schedule"
	"qprism/engine/model"
	"qprism/engine/pbs/assume"
	"qprism/importer/cluster"
	"qprism/importer/collect"
)

// A Selection names the snapshot that a command works on: a bundle, or a stored snapshot.
type Selection struct {
	Snapshot  int64
	Cluster   string // use the latest snapshot of this cluster
	now       string
	quirks    string
	release   string // a release with its quirks, or a patch level of it
	KeepGoing bool
	// The scheduler to plan for, if a PBS server has several. If empty, the scheduler whose files are in the
	// bundle.
	Scheduler string
	AsShown   bool           // make no assumptions about facts that the snapshot lacks
	Live      CaptureOptions // how to capture a cluster first; its Reach names the cluster
	MaxAge    time.Duration  // greatest age of a stored snapshot that may replace this capture; 0 for none
}

// AddSelection adds the flags that choose a snapshot: a stored one, or a capture of a live cluster.
func AddSelection(c *cobra.Command, sel *Selection) {
	AddStored(c, sel)
	AddReach(c, &sel.Live.Reach)
	sel.Live.Collect = collect.Routine()
	c.Flags().Lookup("from").Usage = "capture the cluster first and use that bundle, over SSH from " +
		"`[user@]host[:port]`, or from this machine (.)"
	c.MarkFlagsMutuallyExclusive("snapshot", "from")
}

// AddStored adds the flags that choose a stored snapshot.
func AddStored(c *cobra.Command, sel *Selection) {
	c.Args = cobra.MaximumNArgs(1)
	c.ValidArgsFunction = CompleteBundle
	c.Flags().Int64Var(&sel.Snapshot, "snapshot", 0, "use the stored snapshot of this `number` (default: the latest)")
	c.Flags().StringVar(&sel.Cluster, "cluster", "",
		"use the latest stored snapshot of this `cluster`, by its name in the store or in the configuration of serve")
	c.Flags().StringVar(&sel.now, "now", "", "the `moment` of the scheduler run, "+cli.MomentForms+" (default: inferred)")
	c.Flags().StringVar(&sel.quirks, "quirks", "", "follow the behavior of this Grid Engine `release`: "+
		show.JoinOr(compat.Names())+
		" (default: the master's)")
	if c.Name() != "drive" && c.Name() != "push" { // these have another flag --release
		addRelease(c, sel)
	}
	c.Flags().StringVar(&sel.Scheduler, "scheduler", "",
		"if a PBS server has several schedulers: plan for the one of this `name` (default: the one "+
			"whose files are in the bundle)")
	c.Flags().BoolVar(&sel.KeepGoing, "keep-going", false, "skip records that cannot be read, and list them")
	_ = c.RegisterFlagCompletionFunc("quirks", cobra.FixedCompletions(compat.Names(), cobra.ShellCompDirectiveNoFileComp))
}

// addRelease gives a command --release.
func addRelease(c *cobra.Command, sel *Selection) {
	c.Flags().StringVar(&sel.release, "release", "",
		"the same, also with a patch level such as 9.0.13; \"qprism releases\" lists them")
	c.MarkFlagsMutuallyExclusive("quirks", "release")
	_ = c.RegisterFlagCompletionFunc("release", cobra.FixedCompletions(compat.Names(), cobra.ShellCompDirectiveNoFileComp))
}

// A Subject is a snapshot with the rules and the moment that answers use.
type Subject struct {
	*model.Snapshot
	Rules string // name of the set of quirks
	Look  lastrun.Options
	Batch system
	hints cli.Hints

	chances Chances // computed when they are needed
	onePast sync.Once
	past    *schedule.Past // see pastRuns

	Assumed []assume.Assumption // assumptions about missing facts
	Asked   time.Time           // the moment that chose the stored snapshot; zero for none
}

// Of loads the snapshot that flags and arguments select.
func Of(ctx context.Context, d *cli.Deps, sel *Selection, args []string) (*Subject, error) {
	s, err := loaded(ctx, d, sel, args)
	if err == nil {
		warnOfAssumptions(d, s)
	}
	return s, err
}

// loaded is Of before the policy is known.
func loaded(ctx context.Context, d *cli.Deps, sel *Selection, args []string) (*Subject, error) {
	at, err := sel.Moment()
	if err != nil {
		return nil, err
	}
	s, err := Load(ctx, d, sel, args)
	if err != nil {
		return nil, err
	}
	if at.IsZero() && len(args) > 0 && strings.HasPrefix(args[0], LabMark) {
		at = s.TakenAt // no run came before it
	}
	rules, quirks, err := sel.Profile(s)
	if err != nil {
		return nil, err
	}
	if s, err = s.PlannedBy(sel.Scheduler); err != nil {
		return nil, fmt.Errorf("--scheduler: %w", err)
	}
	WarnOfGaps(d.Warn(), s)
	if note := sel.releaseNote(s); note != "" {
		fmt.Fprintln(d.Warn(), "qprism: "+note)
	}
	subject := newSubject(s, rules, lastrun.Options{At: at, Quirks: quirks}, sel.AsShown)
	subject.hints = d.Hints(sel.named(args))
	return subject, nil
}

// named is how a command line names the snapshot; empty for the latest that is stored.
func (sel *Selection) named(args []string) string {
	switch {
	case len(args) > 0:
		return cli.BundleWord(args[0])
	case sel.Snapshot != 0:
		return "--snapshot " + strconv.FormatInt(sel.Snapshot, 10)
	}
	return "" // hints carry --cluster
}

func Load(ctx context.Context, d *cli.Deps, sel *Selection, args []string) (*model.Snapshot, error) {
	switch {
	case len(args) > 0 && sel.Snapshot != 0:
		return nil, errors.New("give a bundle or --snapshot, not both")
	case sel.Cluster != "" && (len(args) > 0 || sel.Snapshot != 0 || sel.Live.From != ""):
		return nil, errors.New("--cluster chooses the latest stored snapshot of a cluster: do not give " +
			"a bundle, --snapshot or --from with it")
	case len(args) > 0 && sel.Live.From != "":
		return nil, errors.New("give a bundle or --from, not both")
	case sel.Live.From != "":
		id, err := recentSnapshot(ctx, d, sel)
		if err != nil {
			return nil, err
		}
		if sel.Snapshot = id; id != 0 { // hints are about it from now on
			return LoadStored(ctx, d, id)
		}
		sel.Live.Collect.Scheduler = sel.Scheduler
		return captured(ctx, d, sel.Live, sel.KeepGoing)
	}
	if held := d.Held[sel.named(args)]; held != nil {
		return held.Apart(), nil // a command may add facts of logs beside a recording
	}
	if len(args) > 0 {
		bundle, closer, err := BundleAt(args[0])
		if err != nil {
			return nil, err
		}
		defer closer.Close()
		return ReadBundle(bundle, sel.KeepGoing)
	}
	store, err := OpenStore(d)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	id, err := sel.Stored(ctx, store)
	if err != nil {
		return nil, err
	}
	return store.Snapshot(ctx, id)
}

// Stored returns the number of the selected stored snapshot.
func (sel *Selection) Stored(ctx context.Context, store *sqlite.Store) (int64, error) {
	if sel.Snapshot != 0 {
		return sel.Snapshot, nil
	}
	return latestStored(ctx, store, sel.Cluster)
}

// captureTime is the time limit of a capture for a command.
const captureTime = 5 * time.Minute

// captured captures the cluster now, with the options of a routine capture. Configuration that seldom changes
// is kept between captures.
func captured(ctx context.Context, d *cli.Deps, o CaptureOptions, keepGoing bool) (*model.Snapshot, error) {
	ctx, cancel := context.WithTimeout(ctx, captureTime)
	defer cancel()
	folder, err := os.MkdirTemp("", "qprism-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	if _, err := o.Into(ctx, d, folder); err != nil {
		return nil, err
	}
	return LoadBundle(folder, keepGoing)
}

func LoadStored(ctx context.Context, d *cli.Deps, id int64) (*model.Snapshot, error) {
	store, err := OpenStore(d)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	return store.Snapshot(ctx, id)
}

// ReadBundle reads a bundle. If this takes more than a second, people see a progress bar.
func ReadBundle(bundle fs.FS, keepGoing bool) (*model.Snapshot, error) {
	bar := NewProgress("reading", progressbar.OptionShowBytes(true), func() int64 { return Size(bundle) })
	defer bar.Finish()
	return cluster.Read(bundle, cluster.Options{KeepGoing: keepGoing, Progress: bar.Add})
}

func Size(bundle fs.FS) (total int64) {
	_ = fs.WalkDir(bundle, ".", func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			if info, err := e.Info(); err == nil {
				total += info.Size()
			}
		}
		return nil
	})
	return total
}

// Moment returns the time of --now. It is zero if qprism must infer the moment.
func (sel *Selection) Moment() (time.Time, error) {
	return cli.MomentOf("now", sel.now)
}

// Profile returns the set of quirks of --quirks or --release. Without these flags it is the set of the master's
// release.
func (sel *Selection) Profile(s *model.Snapshot) (name string, q model.Quirks, err error) {
	asked := cmp.Or(sel.quirks, sel.release)
	switch {
	case !s.HasQuirks() && asked != "":
		return "", q, errors.New("--quirks is for bundles of Grid Engine; for PBS, qprism follows its release " +
			PBSRules + " behaves")
	case !s.HasQuirks():
		return PBSRules, q, nil
	case asked == "":
		name, q = compat.For(s.Release)
		return name, q, nil
	}
	if q, ok := compat.Profiles[asked]; ok {
		return asked, q, nil
	}
	if nearest, known := compat.Nearest(model.Release{Version: asked}); sel.release != "" && known {
		return nearest, compat.Profiles[nearest], nil
	}
	if sel.release != "" {
		return "", q, fmt.Errorf("unknown --release %q; use %s", asked, show.JoinOr(compat.Names()))
	}
	return "", q, fmt.Errorf("unknown --quirks %q; use %s", asked, show.JoinOr(compat.Names()))
}

// releaseNote says that the rules belong to another release than the master's. It is empty if they are its own,
// or if the user chose them.
func (sel *Selection) releaseNote(s *model.Snapshot) string {
	if !s.HasQuirks() || sel.quirks != "" || sel.release != "" {
		return ""
	}
	name, known := compat.Nearest(s.Release)
	switch {
	case known:
		return ""
	case s.Release.Version == "":
		return fmt.Sprintf("the release is not known; qprism uses the rules of %s (--release sets "+
			"others; \"qprism audit --try-releases\" tries all)", name)
	}
	return fmt.Sprintf("the rules of %s (%s) are not known; qprism uses the nearest, %s (qprism "+
		"audit --try-releases shows how well they fit)",
		show.Printable(s.Release.Version), show.Printable(s.Release.Product), name)
}
