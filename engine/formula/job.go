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

// A Job is a job_sort_formula, or a fairshare_usage_res, as the scheduler evaluates it: text in double quotes, given to
// Python's eval for every job, with the resources and the scheduler's own numbers as globals. It may be used by several
// goroutines at a time.
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

// ParseJob reads a formula. The error is a *python.Error; it says what of the text the scheduler cannot
// evaluate for any job, or what is not computed here.
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

// Input is what the scheduler knows of a job when it evaluates a formula.
type Input struct {
	Amounts       []model.Amount // of the job's Resource_List; of two with one name the first counts, others are 0
	EligibleTime  int64          // seconds
	QueuePriority int
	JobPriority   int
	Perc          float32 // fairshare_perc of the job's entity
	TreeUsage     float32 // fairshare_tree_usage of the job's entity
	AccrueType    int     // 0 initial, 1 ineligible, 2 eligible, 3 running, 4 exit
}

// InputOf is the input of a job of a snapshot that is evaluated at this time. The share of its entity is for the caller
// to add.
func InputOf(j *model.Job, queuePriority int, since time.Duration) Input {
	in := Input{QueuePriority: queuePriority, JobPriority: int(j.PosixPriority),
		Amounts: make([]model.Amount, len(j.Hard))}
	for i, r := range j.Hard {
		in.Amounts[i] = model.Amount{Name: r.Resource, Value: r.Amount}
	}
	if p := j.PBS; p != nil {
		in.AccrueType = p.AccrueType
		in.EligibleTime = int64(p.EligibleTime / time.Second)
		if p.AccrueType == eligible {
			in.EligibleTime += int64(since / time.Second)
		}
	}
	return in
}

// eligible is the accrue_type of a job whose eligible time grows.
const eligible = 2

// A Result is a formula's value for a job.
type Result struct {
	Exact  float64       // as Python computed it; 0 after an exception
	Err    *python.Error // the exception; nil for none
	NoType string        // Python's type of a result that is no number, "str": the scheduler dies of it
}

// Value is what jobs are ordered by: only 24 bits of the exact value are kept. The first job whose result is no number
// gets -1, others are not reached.
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

// Usage is fairshare_usage_res over amounts of resources: what a job's entity is charged. What has no value is 0.
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

// Number is the value of a name as a formula gets it.
func (in *Input) Number(name string) float64 {
	x, err := input(name)(in).Float64()
	if err != nil {
		return math.NaN() // amounts are floats, so that none is too large
	}
	return x
}

// Has says whether there is a number for a name: the scheduler's own always are, a resource is if it is requested.
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

// Names are the resources and numbers of the scheduler that the formula reads.
func (f *Job) Names() []string { return slices.Clone(f.reads) }

// UsesFairshare says whether the formula reads a number of the fairshare tree.
func (f *Job) UsesFairshare() bool {
	return slices.ContainsFunc(f.reads, func(name string) bool {
		return slices.Contains([]string{sharePerc, oldSharePerc, treeUsage, shareFactor}, name)
	})
}

// String prints the formula with as few brackets as it needs.
func (f *Job) String() string { return f.expression.String() }

// A Term is a term of the outermost sum of a formula, or all of it where it is no sum.
type Term struct {
	*Job
	Text  string
	Minus bool // it is subtracted
}

// Terms are the terms of a formula that was parsed with these names, in their order.
func (f *Job) Terms(names Names) []Term {
	var terms []Term
	for _, t := range f.expression.Terms() {
		if j, err := ParseJob(t.Text, names); err == nil {
			terms = append(terms, Term{Job: j, Text: t.Text, Minus: t.Minus})
		}
	}
	return terms
}

// DefaultThreshold is the job_sort_formula_threshold of a scheduler that has none set.
const DefaultThreshold = math.MinInt32

// Under says whether a value is too low for its job to be considered. A value that is no number is not.
func Under(value float32, threshold float64) bool { return float64(value) <= threshold }
