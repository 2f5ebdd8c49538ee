package formula_test

import (
	"errors"
	"math"
	"math/rand"
	"strconv"
	"strings"
	"testing"

	"qprism/engine/formula"
	"qprism/engine/formula/python"
	"qprism/engine/model"
)

func parse(t testing.TB, text string) *formula.Job {
	t.Helper()
	f, err := formula.ParseJob(text, formula.StandardNames())
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return f
}

func TestValuesArePrintedWithThePBSDigits(t *testing.T) { // P2
	for name, c := range map[string]struct {
		value float64
		want  string
	}{
		"less than a thousandth is lost":    {0.00049, "0"},
		"three nines end the digits":        {0.9995, "1"},
		"at most four":                      {123.4567891, "123.4568"},
		"a half":                            {0.5, "0.5"},
		"an exact quarter has two":          {8.75, "8.75"},
		"a third":                           {1.0 / 3, "0.3333"},
		"digits end before zeros":           {1.058, "1.058"},
		"a whole number":                    {-1024, "-1024"},
		"a negative nothing keeps its sign": {-0.0004, "-0"},
		"more than any float of 32 bits":    {1e39, "inf"},
		"less than any":                     {math.Inf(-1), "-inf"},
		"no number":                         {math.NaN(), "nan"},
	} {
		if got := formula.Print(formula.Result{Exact: c.value}.Value()); got != c.want {
			t.Errorf("%s: %g prints %s, want %s", name, c.value, got, c.want)
		}
	}
}

func TestOnly24BitsOrderJobs(t *testing.T) { // P2
	for _, pair := range [][2]string{{"1000000000+100", "1000000000+128"}, {"16777217+1", "16777218"}} {
		a, b := parse(t, pair[0]).Evaluate(formula.Input{}), parse(t, pair[1]).Evaluate(formula.Input{})
		if a.Value() != b.Value() {
			t.Errorf("%s = %v, %s = %v", pair[0], a.Value(), pair[1], b.Value())
		}
	}
}

func TestNumbersAreHandedOverAsPBSPrintsThem(t *testing.T) { // P3
	in := formula.Input{
		Amounts: []model.Amount{{Name: "energy", Value: 0.1234567}, {Name: "hpm", Value: 0.0009}, {Name: "mem", Value: 1e20},
			{Name: "ncpus", Value: 4}, {Name: "ncpus", Value: 5}},
		Perc: 1.0 / 21, TreeUsage: 0.00000909,
	}
	for text, want := range map[string]float64{
		"energy": 0.1235, "hpm": 0, "mem": 1e20, "mem % 10": 0, "ncpus": 4, "ncpus / 3": 4.0 / 3,
		"ncpus // 3": 1, "walltime": 0,
		"fairshare_perc": 0.047619, "fair_share_perc": 0.047619, "fairshare_tree_usage": 0.000009,
		"fairshare_factor": 0.999868,
	} {
		if got := parse(t, text).Evaluate(in); got.Exact != want || got.Err != nil {
			t.Errorf("%s = %v %v, want %v", text, got.Exact, got.Err, want)
		}
	}
}

func TestSharesAreRoundedAsIfPrinted(t *testing.T) {
	check := func(x float64) {
		want, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', 6, 64), 64)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := formula.Share(x).Float64(); err != nil || math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%v is handed over as %v, want %v", x, got, want)
		}
	}
	random := rand.New(rand.NewSource(1))
	for range 100_000 {
		check(float64(float32(random.Float64())))
		check((float64(random.Intn(1e7)) + 0.5) / 1e6)
		check(random.NormFloat64() * 1e9)
	}
	check(math.Copysign(1e-9, -1))
	check(1e300)
}

func TestMathHidesResourcesOfTheSameName(t *testing.T) {
	f, err := formula.ParseJob("e + max", formula.Names{Numeric: []string{"e", "max"}})
	if err != nil {
		t.Fatal(err)
	}
	got := f.Evaluate(formula.Input{Amounts: []model.Amount{{Name: "e", Value: 100}, {Name: "max", Value: 7}}})
	if want := math.E + 7; got.Exact != want {
		t.Errorf("%v, want %v", got.Exact, want)
	}
}

func TestResultsThatAreNoNumberAreTold(t *testing.T) { // P1
	for text, want := range map[string]string{"(job_priority-9)**0.5": "complex", "10**400": "int"} {
		got := parse(t, text).Evaluate(formula.Input{})
		if got.NoType != want || got.Value() != -1 {
			t.Errorf("%s: %q %v, want %q", text, got.NoType, got.Value(), want)
		}
	}
}

func TestAnExceptionMakesTheValueZero(t *testing.T) {
	got := parse(t, "1/walltime").Evaluate(formula.Input{})
	if got.Value() != 0 || got.Err == nil || got.Err.Message != "division by zero" || got.Err.Column != 2 {
		t.Errorf("%v %v", got.Value(), got.Err)
	}
}

func TestTheThresholdItselfIsUnderTheThreshold(t *testing.T) { // P16
	for _, c := range []struct {
		value     float32
		threshold float64
		want      bool
	}{{7, 7, true}, {7.5, 7, false}, {float32(math.Inf(-1)), formula.DefaultThreshold, true},
		{-2147483648, formula.DefaultThreshold, true},
		{-2147483520, formula.DefaultThreshold, false}, {float32(math.NaN()), 0, false}} {
		if got := formula.Under(c.value, c.threshold); got != c.want {
			t.Errorf("%v under %v: %v", c.value, c.threshold, got)
		}
	}
}

func TestUsageIsComputedByTheSameRules(t *testing.T) {
	f := parse(t, "ncpus*walltime")
	if got := f.Usage([]model.Amount{{Name: "walltime", Value: 90}, {Name: "ncpus", Value: 4},
		{Name: "walltime", Value: 3600}}); got != 360 {
		t.Errorf("%v, want 360", got)
	}
}

func TestTheServerRefusesWithAHint(t *testing.T) {
	for text, want := range map[string]struct {
		exit   int
		column int
		hint   string
	}{
		"ncpsu*2":                    {20, 1, "did you mean ncpus?"},
		"1 + eligible_tmie":          {20, 5, "did you mean eligible_time?"},
		"1 if arch else 2":           {21, 6, "long, float, size and time"},
		"int('3')":                   {163, 5, "without quotes"},
		"ncpus & 1":                  {4, 7, "and"},
		"ncpus +":                    {19, 8, "missing"},
		"1/0 + nosuch":               {0, 0, ""}, // the division is reached first
		"1 if ncpus else nosuch":     {0, 0, ""}, // never reached where all names are 1
		"9 if walltime else 9**9**9": {0, 0, ""},
	} {
		err := formula.Validate(text, formula.StandardNames())
		if want.exit == 0 {
			if err != nil {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		var r *formula.Refusal
		if !errors.As(err, &r) || r.Exit != want.exit || r.Cause.Column != want.column ||
			!strings.Contains(r.Cause.Hint, want.hint) {
			t.Errorf("%s: %v %+v, want exit %d, column %d, %q", text, err, errors.Unwrap(err), want.exit, want.column, want.hint)
		}
	}
}

func TestWhatWouldHangTheServerIsNoRefusal(t *testing.T) {
	err := formula.Validate("9**9**9", formula.StandardNames())
	var e *python.Error
	var r *formula.Refusal
	if errors.As(err, &r) || !errors.As(err, &e) || e.Class != python.Limit {
		t.Errorf("%v", err)
	}
}

func TestAResourceThatHidesAFunctionIsRefused(t *testing.T) {
	names := formula.Names{Numeric: []string{"max", "ncpus"}}
	if _, err := formula.ParseJob("max(ncpus, 4)", names); err == nil ||
		!strings.Contains(err.Error(), "hides Python's function") {
		t.Errorf("%v", err)
	}
}

func BenchmarkFormulaOver100000Jobs(b *testing.B) {
	f := parse(b, "0.01*eligible_time + 10*fairshare_factor + job_priority/1024 + 0.1*queue_priority + "+
		"ncpus*walltime/3600")
	jobs := make([]formula.Input, 100_000)
	for i := range jobs {
		jobs[i] = formula.Input{EligibleTime: int64(i), JobPriority: i % 1024, Perc: 0.0476, TreeUsage: float32(i) / 1e5,
			Amounts: []model.Amount{{Name: "ncpus", Value: float64(i % 64)}, {Name: "nodect", Value: 1},
				{Name: "walltime", Value: 3600}}}
	}
	b.ReportAllocs()
	for b.Loop() {
		for i := range jobs {
			if f.Evaluate(jobs[i]).Err != nil {
				b.Fatal("an error")
			}
		}
	}
	b.ReportMetric(float64(b.N)*float64(len(jobs))/b.Elapsed().Seconds(), "evaluations/s")
}

func FuzzJob(f *testing.F) {
	for _, text := range []string{"ncpus*walltime", "1/fairshare_perc", "a=3", "int('3')",
		`"x"`, "\\x41", "ncpus & 1", "nosuch", "arch"} {
		f.Add(text, 4.0, 0.05)
	}
	f.Fuzz(func(t *testing.T, text string, amount, perc float64) {
		names := formula.StandardNames()
		_ = formula.Validate(text, names)
		j, err := formula.ParseJob(text, names)
		if err != nil {
			return
		}
		r := j.Evaluate(formula.Input{Amounts: []model.Amount{{Name: "ncpus", Value: amount}}, Perc: float32(perc)})
		if again := j.Evaluate(formula.Input{Amounts: []model.Amount{{Name: "ncpus", Value: amount}},
			Perc: float32(perc)}); formula.Print(again.Value()) != formula.Print(r.Value()) {
			t.Fatalf("%q: %v, then %v", text, r, again)
		}
	})
}
