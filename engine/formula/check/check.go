package check

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"

	"qprism/engine/formula"
	"qprism/engine/formula/python"
	"qprism/engine/model"
)

// A Report describes the effect of a formula.
type Report struct {
	Formula   string    `json:"formula"`   // as given
	Reads     []string  `json:"reads"`     // resources and numbers of the scheduler, in text order
	Threshold float64   `json:"threshold"` // jobs with values up to this are not considered
	Problems  []Problem `json:"problems"`
	Terms     []Term    `json:"terms"`
	Jobs      []Job     `json:"-"` // in the order of evaluation; none without a snapshot
}

// A Severity says how bad a problem is.
type Severity string

// The severities. A formula with an error must not be set.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// A Kind is the kind of a problem.
type Kind string

// The kinds of problems.
const (
	Refused     Kind = "refused"      // by qmgr or the server
	Hangs       Kind = "hangs"        // it takes too long
	Unsupported Kind = "unsupported"  // qprism does not compute it
	Statement   Kind = "statement"    // the server accepts it, but the scheduler cannot evaluate it
	Quotes      Kind = "quotes"       // double quotes
	NoNumber    Kind = "no number"    // a result that stops the scheduler
	Exception   Kind = "exception"    // raised for some jobs
	UnknownName Kind = "unknown name" // the server did not reach it
	Zeros       Kind = "zeros"
	Ties        Kind = "ties" // different values that are equal in 32 bits
	NaN         Kind = "nan"
	Under       Kind = "threshold"
	Unrequested Kind = "not requested" // jobs do not request this resource
	Switched    Kind = "switched off"  // this cluster does not keep a number that the formula reads
	Shadowed    Kind = "shadowed"      // a resource with the name of a function
	Operator    Kind = "operator"      // an operator with an unexpected meaning
	SameTerm    Kind = "term"          // a term that changes no order
	WrongWay    Kind = "fairshare"     // a share with the wrong sign
	Deprecated  Kind = "deprecated"    // a name of older releases
)

// A Problem is a fact that an administrator should know before setting the formula.
type Problem struct {
	Severity Severity `json:"severity"`
	Kind     Kind     `json:"kind"`
	Column   int      `json:"column,omitempty"` // in the formula, from 1; 0 for no place
	Text     string   `json:"text"`
	Hint     string   `json:"hint,omitempty"` // what to do; may be empty
	Jobs     []string `json:"jobs,omitempty"` // the jobs concerned
}

// A Job is a job that the scheduler evaluates.
type Job struct {
	*model.Job
	Waits  bool // it can be started
	Inputs []float64
	Result formula.Result
	Rank   int // by value among waiting jobs, from 1; 0 for others
	input  formula.Input
	madeUp string // what a job is that no cluster has
}

// ID is the job's id. For a made-up job it is a description.
func (j *Job) ID() string {
	if j.madeUp != "" {
		return j.madeUp
	}
	return j.PBS.ID
}

// A Term is a term of the formula's outermost sum.
type Term struct {
	Text     string    `json:"term"`
	Minus    bool      `json:"minus"`
	Min      float64   `json:"min"` // over the waiting jobs
	Max      float64   `json:"max"`
	Distinct int       `json:"distinct"` // number of different values among them
	values   []float64 // one for each of them
}

// Failed reports whether there is an error.
func (r *Report) Failed() bool {
	return slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.Severity == Error })
}

func (r *Report) add(p Problem) { r.Problems = append(r.Problems, p) }

// Formula checks a formula with the jobs of a snapshot, or with made-up jobs if the snapshot is nil.
func Formula(text string, s *model.Snapshot) *Report {
	r := &Report{Formula: text, Threshold: formula.DefaultThreshold}
	if text == "" {
		r.add(Problem{Severity: Note, Kind: Statement, Text: "an empty formula unsets job_sort_formula"})
		return r
	}
	names := namesOf(s)
	if !resourcesKnown(s) {
		names = r.supposed(text, names)
	}
	r.validate(text, names)
	f := r.parse(text, names)
	if f == nil || r.has(Refused, Hangs) {
		r.sort()
		return r
	}
	r.Reads = f.Names()
	r.read(text, names)
	if s == nil {
		r.tryMadeUp(f)
	} else {
		r.evaluate(f, s)
	}
	r.sort()
	return r
}

// namesOf are the resources of a snapshot, or those of every server.
func namesOf(s *model.Snapshot) formula.Names {
	if s != nil && len(s.Resources) > 0 {
		return formula.NamesOf(s.Resources)
	}
	return formula.StandardNames()
}

// resourcesKnown reports whether the custom resources of the server are known. A bundle that does not tell
// of any lacks them.
func resourcesKnown(s *model.Snapshot) bool {
	return s != nil && !slices.Contains(s.Missing, "qmgr_print_resource.txt")
}

// supposed takes names that no server has by itself for resources that this one may define, and says so.
func (r *Report) supposed(text string, names formula.Names) formula.Names {
	const most = 100
	for range most {
		name := formula.UnknownName(formula.Validate(text, names))
		if name == "" {
			break
		}
		names.Numeric = append(slices.Clone(names.Numeric), name)
		r.add(Problem{Severity: Warning, Kind: UnknownName, Text: "the bundle does not show if the server " +
			"has the resource " + name +
			"; a server without this resource refuses the formula (error 15124)",
			Hint: "give a bundle that has the server's resources: qmgr -c 'print resource'"})
	}
	return names
}

// sort puts errors before warnings before notes.
func (r *Report) sort() {
	order := []Severity{Error, Warning, Note}
	slices.SortStableFunc(r.Problems, func(a, b Problem) int {
		return cmp.Compare(slices.Index(order, a.Severity), slices.Index(order, b.Severity))
	})
}

// validate reports what the server refuses.
func (r *Report) validate(text string, names formula.Names) {
	err := formula.Validate(text, names)
	var refusal *formula.Refusal
	var cause *python.Error
	switch errors.As(err, &cause); {
	case err == nil:
	case errors.As(err, &refusal):
		p := Problem{Severity: Error, Kind: Refused, Text: "refused: " + refusal.Error()}
		if cause != nil {
			p.Text, p.Hint, p.Column = p.Text+": "+cause.Message, cause.Hint, cause.Column
		}
		r.add(p)
	case cause.Class == python.Statement || strings.Contains(text, `"`): // parse says what becomes of them
	case cause.Class == python.Limit:
		r.add(of(cause, Hangs, "setting it can stop the server: "))
	default:
		r.add(of(cause, Unsupported, "PBS may accept it, but qprism cannot check it: "))
	}
}

// of makes a problem of an error.
func of(err *python.Error, kind Kind, prefix string) Problem {
	return Problem{Severity: Error, Kind: kind, Text: prefix + err.Message, Hint: err.Hint, Column: err.Column}
}

func (r *Report) has(kinds ...Kind) bool {
	return slices.ContainsFunc(r.Problems, func(p Problem) bool { return slices.Contains(kinds, p.Kind) })
}

// parse is the formula as the scheduler evaluates it, nil where it cannot.
func (r *Report) parse(text string, names formula.Names) *formula.Job {
	f, err := formula.ParseJob(text, names)
	var e *python.Error
	switch errors.As(err, &e); {
	case err == nil:
		return f
	case strings.Contains(text, `"`):
		r.add(Problem{Severity: Error, Kind: Quotes, Column: e.Column,
			Text: "the scheduler dies: a double quote ends the formula when the scheduler evaluates it",
			Hint: "write it without quotes"})
	case r.has(Refused, Hangs, Unsupported): // said already
	case e.Class == python.Statement:
		r.add(Problem{Severity: Error, Kind: Statement, Column: e.Column, Hint: e.Hint,
			Text: "the server takes it, but the scheduler cannot evaluate it (" + e.Message +
				"): every job gets 0, and this crashes the scheduler after its next start"})
	default:
		r.add(of(e, Unsupported, "PBS may accept it, but qprism cannot check it: "))
	}
	return nil
}

// evaluate computes every job's value, and looks at what they have in common.
func (r *Report) evaluate(f *formula.Job, s *model.Snapshot) {
	r.Threshold = formula.DefaultThreshold
	if s.PBS != nil {
		if x, ok := s.PBS.Scheduler().FormulaThreshold(); ok {
			r.Threshold = x
		}
	}
	r.Jobs = jobs(s)
	for i := range r.Jobs {
		j := &r.Jobs[i]
		j.Result = f.Evaluate(j.input)
		for _, name := range r.Reads {
			j.Inputs = append(j.Inputs, j.input.Number(name))
		}
	}
	r.survive(r.Jobs)
	if !r.has(NoNumber, Hangs, Unsupported) {
		r.rank()
	}
	r.compareValues()
	r.compareInputs(s)
	r.compareTerms(f, namesOf(s))
	var inputs []formula.Input
	for _, j := range r.waiting() {
		inputs = append(inputs, j.input)
	}
	r.compareShares(f, inputs...)
}

// waiting are the jobs whose order matters.
func (r *Report) waiting() (list []*Job) {
	for i := range r.Jobs {
		if r.Jobs[i].Waits {
			list = append(list, &r.Jobs[i])
		}
	}
	return list
}

// rank numbers the waiting jobs from the highest value to the lowest; equal ones by their time in the queue.
func (r *Report) rank() {
	list := r.waiting()
	slices.SortStableFunc(list, func(a, b *Job) int {
		return cmp.Or(higher(a.Result.Value(), b.Result.Value()), cmp.Compare(a.PBS.QueueRank, b.PBS.QueueRank))
	})
	for i, j := range list {
		j.Rank = i + 1
	}
}

// higher orders values downwards; what is no number comes last.
func higher(a, b float32) int {
	switch x, y := math.IsNaN(float64(a)), math.IsNaN(float64(b)); {
	case x && y:
		return 0
	case x:
		return 1
	case y:
		return -1
	}
	return cmp.Compare(b, a)
}
