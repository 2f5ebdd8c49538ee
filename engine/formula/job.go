package formula

import (
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"qprism/engine/formula/libm"
	"qprism/engine/formula/python"
	"qprism/engine/model"
)

// A Job is a job_sort_formula or a fairshare_usage_res. The scheduler passes the text in double quotes to
// Python's eval for every job, with the resources and its own numbers as globals. Several goroutines may use
// a Job at once.
type Job struct {
	expression *python.Expression
	reads      []string                    // the known names that it uses
	inputs     []func(*Input) python.Value // of each name of the expression; nil for unknown ones
	rooms      sync.Pool                   // of *room
}

// A room holds what one evaluation needs, to be used again by the next.
type room struct {
	in     Input
	values []python.Value
}

// ParseJob reads a formula. The error is a *python.Error: the scheduler cannot evaluate this part of the text
// for any job, or qprism does not compute it.
func ParseJob(text string, names Names) (*Job, error) {
	x, err := python.Parse(text)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, name := range names.numeric() {
		known[name] = true
		if python.IsBuiltin(name) && x.Uses(name) > 0 {
			return nil, &python.Error{Class: python.Unsupported, Message: "the resource " +
				name + " hides Python's function of this name"}
		}
	}
	f := &Job{expression: x, inputs: make([]func(*Input) python.Value, len(x.Names()))}
	for i, name := range x.Names() {
		if known[name.Word] {
			f.reads, f.inputs[i] = append(f.reads, name.Word), input(name.Word)
		}
	}
	f.rooms.New = func() any { return &room{values: make([]python.Value, len(f.inputs))} }
	return f, nil
}

// Input has the numbers of a job for a formula.
type Input struct {
	Amounts       []model.Amount // of Resource_List; the first counts if two have one name, a missing one is 0
	EligibleTime  int64          // seconds
	QueuePriority int
	JobPriority   int
	Perc          float32 // fairshare_perc of the job's entity
	TreeUsage     float32 // fairshare_tree_usage of the job's entity
	AccrueType    int     // 0 initial, 1 ineligible, 2 eligible, 3 running, 4 exit
}

// InputOf is the input of a job of a snapshot at a moment. The caller adds the numbers of the fairshare tree.
func InputOf(j *model.Job, queuePriority int, since time.Duration) Input {
	in := Input{QueuePriority: queuePriority, JobPriority: int(j.PosixPriority),
		Amounts: make([]model.Amount, len(j.Hard))}
	for i, r := range j.Hard {
		in.Amounts[i] = model.Amount{Name: r.Resource, Value: r.Amount}
	}
	if p := j.PBS; p != nil {
		in.AccrueType = p.AccrueType
		in.EligibleTime = int64(p.EligibleTime / time.Second)
		if p.AccrueType == model.Eligible {
			in.EligibleTime += int64(since / time.Second)
		}
	}
	return in
}

// A Result is the value of a formula for a job.
type Result struct {
	Exact  float64       // as computed by Python; 0 after an exception
	Err    *python.Error // the exception; nil for none
	NoType string        // Python's type of a result that is no number, "str": it stops the scheduler
}

// Value orders the jobs: it keeps only 24 bits of the exact value. The first job whose result is no number
// gets -1; the scheduler does not reach others.
func (r Result) Value() float32 {
	if r.NoType != "" {
		return -1
	}
	return float32(r.Exact)
}

// Evaluate computes the formula for one job.
func (f *Job) Evaluate(in Input) Result {
	r := f.rooms.Get().(*room)
	defer f.rooms.Put(r)
	r.in = in
	for i, get := range f.inputs {
		if get != nil {
			r.values[i] = get(&r.in)
		}
	}
	v, err := f.expression.Run(r.values)
	if err != nil {
		return Result{Err: asError(err)}
	}
	x, err := v.Float64()
	if err != nil {
		return Result{Exact: -1, NoType: v.Type()}
	}
	return Result{Exact: x}
}

// Usage is fairshare_usage_res for amounts of resources: the charge to a job's entity. Missing values are 0.
func (f *Job) Usage(amounts []model.Amount) float64 {
	return f.Evaluate(Input{Amounts: amounts}).Exact
}

func asError(err error) *python.Error {
	var e *python.Error
	errors.As(err, &e)
	return e
}

// input is how the scheduler hands over the number of a name.
func input(name string) func(*Input) python.Value {
	switch name {
	case eligibleTime:
		return func(in *Input) python.Value { return python.Int(in.EligibleTime) }
	case queuePriority:
		return func(in *Input) python.Value { return python.Int(int64(in.QueuePriority)) }
	case jobPriority:
		return func(in *Input) python.Value { return python.Int(int64(in.JobPriority)) }
	case sharePerc, oldSharePerc:
		return func(in *Input) python.Value { return Share(float64(in.Perc)) }
	case treeUsage:
		return func(in *Input) python.Value { return Share(float64(in.TreeUsage)) }
	case shareFactor:
		return func(in *Input) python.Value { return Share(in.factor()) }
	case accrueType:
		return func(in *Input) python.Value { return python.Int(int64(in.AccrueType)) }
	}
	return func(in *Input) python.Value { return Amount(in.amount(name)) }
}

// amount is the first amount of a name, 0 for none.
func (in *Input) amount(name string) float64 {
	for i := range in.Amounts {
		if in.Amounts[i].Name == name {
			return in.Amounts[i].Value
		}
	}
	return 0
}

// Number is the value of a name in a formula.
func (in *Input) Number(name string) float64 {
	x, err := input(name)(in).Float64()
	if err != nil {
		return math.NaN() // amounts are floats, so that none is too large
	}
	return x
}

// Has reports whether a name has a value. The scheduler's own numbers always have one. A resource has one if
// the job requests it.
func (in *Input) Has(name string) bool {
	return slices.Contains(ownNames, name) || slices.ContainsFunc(in.Amounts, func(a model.Amount) bool {
		return a.Name == name
	})
}

// factor is fairshare_factor: 2 to the power of minus usage by percentage, 0 without a percentage.
func (in *Input) factor() float64 {
	if in.Perc == 0 {
		return 0
	}
	return libm.Pow(2, -float64(in.TreeUsage/in.Perc))
}

// Names are the names that the formula reads: resources and numbers of the scheduler.
func (f *Job) Names() []string { return slices.Clone(f.reads) }

// UsesFairshare reports whether the formula reads a number of the fairshare tree.
func (f *Job) UsesFairshare() bool {
	return slices.ContainsFunc(f.reads, func(name string) bool {
		return slices.Contains([]string{sharePerc, oldSharePerc, treeUsage, shareFactor}, name)
	})
}

// String prints the formula with as few brackets as it needs.
func (f *Job) String() string { return f.expression.String() }

// A Term is a term of the formula's outermost sum, or the whole formula if it is no sum.
type Term struct {
	*Job
	Text  string
	Minus bool // subtracted
}

// Terms are the terms of a formula that was parsed with these names, in order.
func (f *Job) Terms(names Names) []Term {
	var terms []Term
	for _, t := range f.expression.Terms() {
		if j, err := ParseJob(t.Text, names); err == nil {
			terms = append(terms, Term{Job: j, Text: t.Text, Minus: t.Minus})
		}
	}
	return terms
}

// DefaultThreshold is the job_sort_formula_threshold if none is set.
const DefaultThreshold = math.MinInt32

// Under reports whether a value is too low for a job to be considered. NaN is not too low.
func Under(value float32, threshold float64) bool { return float64(value) <= threshold }
