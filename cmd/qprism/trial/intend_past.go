package trial

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"time"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/intend"
	"qprism/engine/model"
)

// An intendPast is the result for sentences over stored snapshots.
type intendPast struct {
	period
	left  int // snapshots without an order of jobs
	found []intend.Over
}

func runIntendPast(ctx context.Context, d *cli.Deps, opts intendOptions, list []intend.Intention, w io.Writer) error {
	store, err := subject.OpenStore(d)
	if err != nil {
		return err
	}
	defer store.Close()
	r := &intendPast{}
	if r.period, err = choosePeriod(ctx, store, opts.Cluster, opts.since, opts.until); err == nil {
		err = r.read(ctx, store, &opts, list)
	}
	if err != nil {
		return err
	}
	out := d.Output(w)
	err = show.Form(out, r.json, func() show.Sheet { return r.sheet(out) }, func() { r.print(out) })
	return cli.Found(err, slices.ContainsFunc(r.found, func(o intend.Over) bool { return o.Answer == intend.Fails }))
}

// read checks the sentences against one snapshot after the other.
func (r *intendPast) read(ctx context.Context, store *sqlite.Store, o *intendOptions, list []intend.Intention) error {
	past := intend.NewPast(list, r.from)
	err := store.Each(ctx, r.infos, runtime.GOMAXPROCS(0), func(_ sqlite.Info, s *model.Snapshot) error {
		rules, quirks, err := o.Profile(s)
		if err != nil {
			return err
		}
		look := subject.NewSubject(s, rules, lastrun.Options{Quirks: quirks})
		in := intend.Input{Snapshot: look.Snapshot, Quirks: quirks}
		if look.Batch.Lacks(false) == nil {
			in.At = s.TakenAt
		} else {
			r.left++
		}
		past.Add(in, look.Batch.Ended())
		return nil
	})
	r.found = past.Verdicts()
	return err
}

// stored names a snapshot of the period by its number.
func (r *intendPast) stored(b *intend.Break) string {
	return strconv.FormatInt(r.infos[b.Snapshot].ID, 10)
}

// sheet has a row for each sentence.
func (r *intendPast) sheet(out show.Output) show.Sheet {
	t := show.NewSheet("sentence", "verdict", "because", ">snapshots", ">broken", ">first", "at")
	for i := range r.found {
		o := &r.found[i]
		first, at := "", ""
		if len(o.Breaks) > 0 {
			first, at = r.stored(&o.Breaks[0]), out.Moment(o.Breaks[0].At)
		}
		t.Add(o.Text, string(o.Answer), o.Why, strconv.Itoa(o.Judged), strconv.Itoa(len(o.Breaks)), first, at)
	}
	return t
}

// print says it to people.
func (r *intendPast) print(out show.Output) {
	out.Terminal = true
	out.Say("%s: %s, %s to %s", show.Printable(r.cluster), show.Plural(len(r.infos), "stored snapshot"),
		out.Moment(r.infos[0].TakenAt), out.Zoned(r.infos[len(r.infos)-1].TakenAt))
	if r.left > 0 {
		out.Say("%s of them lack the data for the order of their jobs.", strconv.Itoa(r.left))
	}
	out.Say("")
	for i := range r.found {
		o := &r.found[i]
		show.Answer(out, "", show.Printable(fmt.Sprintf("%d. %s: %s", i+1, o.Text, o.Answer)))
		show.Answer(out, "", "   "+show.Printable(o.Why+"."))
		if n := len(o.Breaks); n > 0 {
			for _, b := range []*intend.Break{&o.Breaks[0], &o.Breaks[n-1]}[:min(n, 2)] {
				show.Answer(out, "", fmt.Sprintf("   Snapshot %s, %s: %s.", r.stored(b), out.Moment(b.At), show.Printable(b.Why)))
			}
		}
		out.Say("")
	}
}

// jsonIntendPast is what is found of sentences over stored snapshots, in JSON.
type jsonIntendPast struct {
	Cluster    string     `json:"cluster"`
	From       time.Time  `json:"from"`
	To         time.Time  `json:"to"`
	Snapshots  []int64    `json:"snapshots"` // snapshots that the sentences were checked with
	Left       int        `json:"left_out"`  // of these lack what orders their jobs
	Intentions []jsonOver `json:"intentions"`
}

// jsonOver is what is found of a sentence over time.
type jsonOver struct {
	Sentence string      `json:"sentence"`
	Kind     intend.Kind `json:"kind"`
	Verdict  string      `json:"verdict"`
	Because  string      `json:"because"`
	Judged   int         `json:"judged"` // snapshots, or stretches of time that end with one
	Breaks   []jsonBreak `json:"breaks"` // snapshots in which it does not hold
}

// jsonBreak is a snapshot in which a sentence does not hold.
type jsonBreak struct {
	Snapshot int64     `json:"snapshot"`
	At       time.Time `json:"taken_at"`
	Because  string    `json:"because"`
}

func (r *intendPast) json() jsonIntendPast {
	j := jsonIntendPast{Cluster: r.cluster, From: r.from, To: r.to, Snapshots: []int64{}, Left: r.left,
		Intentions: []jsonOver{}}
	for _, i := range r.infos {
		j.Snapshots = append(j.Snapshots, i.ID)
	}
	for i := range r.found {
		o := &r.found[i]
		one := jsonOver{o.Text, o.Kind, string(o.Answer), o.Why, o.Judged, []jsonBreak{}}
		for _, b := range o.Breaks {
			one.Breaks = append(one.Breaks, jsonBreak{r.infos[b.Snapshot].ID, b.At, b.Why})
		}
		j.Intentions = append(j.Intentions, one)
	}
	return j
}
