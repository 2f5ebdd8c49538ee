package synthesis

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
)

// TestForecastsUnderBothSystemsAddUp: the sums of users are those of all jobs, and no job gains time before
// it was submitted.
func TestForecastsUnderBothSystemsAddUp(t *testing.T) {
	h := recorded(t, "dispatch-2")
	c := newBench(h, translated(h), resourcesOf(h)).frozen(NeedsHook)
	o := c.Play(h, translated(h), forecast.Options{MostRuns: 200})
	if o.Jobs == 0 || len(o.Groups) == 0 || o.Groups[0].Kind != byAll || o.Groups[0].Jobs != o.Jobs {
		t.Fatalf("%d jobs start in both: %+v", o.Jobs, o.Groups)
	}
	jobs, waits := 0, [2]float64{}
	for _, g := range o.Groups {
		for side := range g.Wait {
			if g.Wait[side] < 0 || g.Slowdown[side] < 1 {
				t.Errorf("%s %s: wait %v, slowdown %v", g.Kind, g.Name, g.Wait, g.Slowdown)
			}
			if g.Kind == byOwner {
				waits[side] += g.Wait[side] * float64(g.Jobs)
			}
		}
		if g.Kind == byOwner {
			jobs += g.Jobs
		}
	}
	for side, w := range waits {
		if all := o.Groups[0].Wait[side] * float64(o.Jobs); jobs != o.Jobs || w < all-0.01 || w > all+0.01 {
			t.Errorf("users have %d jobs that wait %v, all have %d and %v", jobs, w, o.Jobs, all)
		}
		if u := o.Utilisation[side]; u <= 0 || u > 1 {
			t.Errorf("utilisation %v", o.Utilisation)
		}
	}
}

// TestForecastsAreTheSameEachTime: sums of floating point depend on their order, which must not be that of a map.
func TestForecastsAreTheSameEachTime(t *testing.T) {
	var waiting []*model.Job
	f := &forecast.Forecast{}
	for i := range 60 {
		j := &model.Job{Number: uint32(i + 1), Owner: "ann", Submitted: time.Unix(int64(-7*i), 0)}
		waiting = append(waiting, j)
		f.Starts = append(f.Starts, forecast.Start{Job: j.Number, At: time.Unix(int64(i*i), 1),
			End: time.Unix(int64(i*i+100*i), 3)})
	}
	first := ""
	for range 20 {
		o := compareForecasts(time.Unix(0, 0), waiting, 4, [2]string{"a", "b"}, [2]*forecast.Forecast{f, f})
		if text := fmt.Sprintf("%+v", *o); first == "" {
			first = text
		} else if text != first {
			t.Fatalf("%s\nand then\n%s", first, text)
		}
	}
}

// TestWhatIsInstalledIsMadeOfTheWholeHistory: constants are those of the newest runs, which the proof did not see.
func TestWhatIsInstalledIsMadeOfTheWholeHistory(t *testing.T) {
	h := recorded(t, "prio-2")
	seen := h.Seen()
	for _, c := range Candidates(seen, translated(h), resourcesOf(seen)) {
		proven := c.Prove(h, len(seen), translated(h))
		p := proven.Install(h, translated(h))
		if p == proven || p.HeldOut.Runs != 0 || p.Seen.Runs != len(h) || !p.Safe() {
			t.Errorf("%s is installed as %+v", c.Name, p.Seen)
		}
		for _, f := range p.Candidate.Frozen {
			if len(f.Drift) != len(h) || f.Name == "reference" && f.From != h[len(h)-1].Name {
				t.Errorf("%s: %s is from %s, of %d runs", c.Name, f.Name, f.From, len(f.Drift))
			}
		}
		if frozen := slices.ContainsFunc(c.Frozen, func(f Constant) bool { return f.Name == "reference" }); frozen &&
			p.Candidate.Formula == c.Formula {
			t.Errorf("%s: the formula is %s, proved was %s", c.Name, p.Candidate.Formula, c.Formula)
		}
		if whole := p.Candidate.Prove(h, len(h), translated(h)); whole.Install(h, translated(h)) != whole {
			t.Errorf("%s was made of the whole history and is made anew", c.Name)
		}
	}
}
