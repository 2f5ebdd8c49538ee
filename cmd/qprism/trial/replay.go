package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"time"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/engine/replay"
	"qprism/engine/whatif"
)

// A replayed period is the result of a replay.
type replayed struct {
	period
	record *replay.Record
	first  *subject.Subject
}

// readPeriod reads the events of a period from the store.
func readPeriod(ctx context.Context, d *cli.Deps, sel *subject.Selection, cluster, since, until string) (
	*replayed, error) {
	store, err := subject.OpenStore(d)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	p, err := choosePeriod(ctx, store, cluster, since, until)
	if err != nil {
		return nil, err
	}
	return readRecord(ctx, store, sel, p)
}

// readRecord reads the events of a period.
func readRecord(ctx context.Context, store *sqlite.Store, sel *subject.Selection, p period) (*replayed, error) {
	if len(p.infos) < 2 {
		return nil, errors.New("there is only one stored snapshot from that time; two are needed")
	}
	r := &replayed{period: p, record: replay.NewRecord()}
	err := store.Each(ctx, p.infos, runtime.GOMAXPROCS(0), func(_ sqlite.Info, s *model.Snapshot) error {
		return r.add(sel, s)
	})
	return r, err
}

func (r *replayed) add(sel *subject.Selection, s *model.Snapshot) error {
	rules, quirks, err := sel.Profile(s)
	if err != nil {
		return err
	}
	own := subject.NewSubject(s, rules, lastrun.Options{Quirks: quirks})
	if r.first == nil {
		r.first = own
		if err := own.Batch.Lacks(false); err != nil {
			return err
		}
	}
	if !s.HasUrgency() {
		return errors.New("replay works only for Grid Engine, but this cluster runs PBS")
	}
	r.record.Add(s, own.Batch.Ended())
	return nil
}

// play plays the period under each of some policies.
func (r *replayed) play(ctx context.Context, cases ...*whatif.Case) (list []jsonPlayed, err error) {
	found := r.record.Play(cases, runtime.GOMAXPROCS(0), func() bool { return ctx.Err() != nil })
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, o := range found {
		list = append(list, playedJSON(o))
	}
	return list, nil
}

// runReplay plays a period under today's policy and another one.
func runReplay(ctx context.Context, d *cli.Deps, opts WhatIfOptions, args []string, w, warn io.Writer) error {
	bundle, variant := splitVariant(args)
	switch {
	case len(bundle) > 0:
		return errors.New("--since is for stored snapshots: do not give a bundle with it (qprism import stores one)")
	case len(variant) > 0 && variant[0] == "external":
		return errors.New("external: a program orders the jobs of one snapshot, but a period has many snapshots")
	}
	r, err := readPeriod(ctx, d, &opts.Selection, opts.Cluster, opts.since, opts.until)
	if err != nil {
		return err
	}
	at := r.infos[0].TakenAt
	then, changes, err := opts.caseOf(r.first, at, &VariantMaker{Ctx: ctx, At: at, Warn: warn}, variant, warn)
	if err != nil {
		return err
	}
	found, err := r.play(ctx, &whatif.Case{Snapshot: r.first.Snapshot, Quirks: r.first.Look.Quirks}, then)
	if err != nil {
		return err
	}
	j := jsonReplay{r.head(), changes, playedJSON(r.record.Recorded()), found[0], found[1]}
	if d.Format == "json" {
		return d.Output(w).JSON(j)
	}
	return j.print(d.Output(w))
}

// print says who gains.
func (j *jsonReplay) print(out show.Output) error {
	j.say(out)
	out.Say("what if: %s", show.Printable(strings.Join(j.Changes, ", ")))
	out.Say("")
	t := show.NewSheet("of", "name", ">tasks", ">started", ">today", ">then", ">median wait", ">today",
		">then", ">change", ">got", ">today", ">then", ">due")
	for i := range j.Then.Groups {
		then := &j.Then.Groups[i]
		was, today := j.Recorded.group(then.Kind, then.Name), j.Today.group(then.Kind, then.Name)
		name := then.Name
		if name == "" && then.Kind != "" {
			name = "(none)"
		}
		t.Add(cmp.Or(then.Kind, "all"), name, strconv.Itoa(then.Tasks), strconv.Itoa(was.Started),
			strconv.Itoa(today.Started),
			strconv.Itoa(then.Started), show.Seconds(was.Median), show.Seconds(today.Median), show.Seconds(then.Median),
			signedSpan(then.Median-today.Median), part(was.Got), part(today.Got), part(then.Got), part(then.Target))
	}
	t.DropEmpty("due")
	if err := out.Sheet(t); err != nil || !out.People() {
		return err
	}
	out.Say("")
	for _, c := range j.Then.Waited {
		out.Say("Waiting time because of %s: %s with today's policy, %s with the other.", show.Printable(c.Cause),
			hours(j.Today.waited(c.Cause)), hours(c.Seconds))
	}
	out.Say("")
	out.Say("Of three columns, the first shows what happened. Column \"today\": a replay with the policy of " +
		"the first snapshot, with one run at each snapshot. Column \"then\": a replay with the other " +
		"policy.")
	out.Say("Run times stay as they were. For tasks that still wait, the wait counts until the end of the " +
		"period.")
	return nil
}

// part prints a fraction. It is empty if the fraction is unknown.
func part(v *float64) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100**v)
}

func hours(seconds float64) string {
	return strconv.FormatFloat(seconds/time.Hour.Seconds(), 'f', 1, 64) + " task-hours"
}
