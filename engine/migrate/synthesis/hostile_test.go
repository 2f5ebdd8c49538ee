package synthesis

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	tools "qprism/fixtures/needs"

	"qprism/engine/formula"
	"qprism/engine/model"
)

// A hostileCase is a formula over values that no job should have.
type hostileCase struct {
	Formula string             `json:"formula"`
	Names   map[string]float64 `json:"names"`
	name    string
	sinks   bool // a resource has negative urgency
	got     float64
}

var word = regexp.MustCompile(`[a-z_]+[a-z_0-9]*`)

// hostile draws a case: amounts may be missing, 0, negative or huge, and shares and usage of any size.
func hostile(c *Candidate, resources []model.Resource, r *rand.Rand) (hostileCase, formula.Input) {
	pick := func(values ...float64) float64 { return values[r.IntN(len(values))] }
	in := formula.Input{JobPriority: int(pick(-1024, -1, 0, 1023)), EligibleTime: int64(pick(0, 1, 3600, 1<<40)),
		QueuePriority: int(pick(-1024, 0, 1024)),
		Perc:          float32(pick(0, 1e-6, 0.25, 1)), TreeUsage: float32(pick(0, 1e-6, 0.5, 1, 3))}
	six := func(x float32) float64 { return math.Round(float64(x)*1e6) / 1e6 }
	factor := 0.0
	if in.Perc > 0 {
		factor = math.Exp2(-float64(in.TreeUsage / in.Perc))
	}
	x := hostileCase{Formula: c.Formula, Names: map[string]float64{"job_priority": float64(in.JobPriority),
		"eligible_time": float64(in.EligibleTime), "fairshare_perc": six(in.Perc),
		"fairshare_tree_usage": six(in.TreeUsage), "fairshare_factor": math.Round(factor*1e6) / 1e6}}
	for _, name := range word.FindAllString(c.Formula, -1) {
		if _, known := x.Names[name]; known || !slices.ContainsFunc(resources, func(r model.Resource) bool {
			return r.Name == name
		}) {
			continue
		}
		v := pick(0, 0, 1, -1, 1000, -1000, math.MaxInt32, math.MinInt32, 1<<53, -1<<53, 1<<62, -1<<62)
		x.Names[name] = v
		if v != 0 || r.IntN(2) == 0 {
			in.Amounts = append(in.Amounts, model.Amount{Name: name, Value: v})
		}
	}
	return x, in
}

// possible says whether a job can have these values: nobody asks for less than nothing, urgency is negative
// only where that of a resource is, and time is no longer than three centuries.
func (x *hostileCase) possible() bool {
	for name, v := range x.Names {
		if v < 0 && name != "job_priority" && !(x.sinks && name == urgencyResource) || name == sinceResource && v > 1e10 {
			return false
		}
	}
	return true
}

// TestNoFormulaRaises evaluates every formula that is emitted over values that no job should have, here and
// by Python itself: each gives a finite number, the same in both, that PBS starts jobs with.
func TestNoFormulaRaises(t *testing.T) {
	var cases []hostileCase
	r := rand.New(rand.NewPCG(7, 7))
	for name, h := range histories(t) {
		if len(h) == 0 {
			continue
		}
		for _, c := range Candidates(h, translated(h), resourcesOf(h)) {
			resources := c.translate(h, translated(h)).Resources
			f, err := formula.ParseJob(c.Formula, formula.NamesOf(resources))
			if err != nil {
				t.Errorf("%s, %s: %v", name, c.Name, err)
				continue
			}
			negative := slices.ContainsFunc(h[len(h)-1].Snapshot.Resources, func(r model.Resource) bool {
				return strings.HasPrefix(r.Urgency, "-")
			})
			for range 40 {
				x, in := hostile(c, resources, r)
				x.sinks = negative
				got := f.Evaluate(in)
				v := got.Value()
				if x.got, x.name = got.Exact, name+", "+c.Name; got.Err != nil || got.NoType != "" || math.IsNaN(float64(v)) ||
					math.IsInf(float64(v), 0) {
					t.Errorf("%s: %s over %v: %+v", x.name, x.Formula, x.Names, got)
				} else if v <= math.MinInt32 && x.possible() {
					t.Errorf("%s: %s over %v: a job with %v never starts", x.name, x.Formula, x.Names, v)
				}
				cases = append(cases, x)
			}
		}
	}
	for i, v := range evaluated3(t, cases) {
		if x := &cases[i]; math.Abs(v-x.got) > 1e-12*math.Abs(v) {
			t.Errorf("%s: %s over %v is %v in Python, %v here", x.name, x.Formula, x.Names, v, x.got)
		}
	}
	t.Logf("%d values of formulas", len(cases))
}

// evaluated3 are the values by python3; what raises there fails the test.
func evaluated3(t *testing.T, cases []hostileCase) (values []float64) {
	t.Helper()
	path := tools.Program(t, "python3", "the programs of a migration")
	in, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(path, "-c", `
import json, math, sys
out = []
for c in json.load(sys.stdin):
    names = dict(vars(math), **{k: int(float(v)) if v == int(v) else v for k, v in c["names"].items()})
    out.append(float(eval(c["formula"], names)))
json.dump(out, sys.stdout)
`)
	var out, complaints bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(in), &out, &complaints
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %s", err, complaints.String())
	}
	if err := json.Unmarshal(out.Bytes(), &values); err != nil || len(values) != len(cases) {
		t.Fatal(fmt.Sprint(len(values), " values of ", len(cases), ": ", err))
	}
	return values
}
