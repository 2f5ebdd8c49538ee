package python

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"qprism/fixtures/needs"
)

//go:embed testdata/oracle.py
var oracle string

// An answer is what an expression comes to. Value is exact: decimal digits of an int, bits of a float, the repr of all
// else.
type answer struct {
	Class   string `json:"class"` // of the exception; empty for a value
	Message string `json:"message"`
	Type    string `json:"type"`
	Value   string `json:"value"`
	Version string `json:"version"`
}

func (a answer) String() string {
	if a.Class != "" {
		return a.Class + ": " + a.Message
	}
	return a.Type + " " + a.Value
}

// askPython has Python compute expressions, all in one process.
func askPython(t testing.TB, expressions []string) []answer {
	needs.Program(t, "python3", "what Python makes of a formula")
	var in, out bytes.Buffer
	if err := json.NewEncoder(&in).Encode(struct {
		Variables   map[string]string `json:"variables"`
		Expressions []string          `json:"expressions"`
	}{valueTexts(), expressions}); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("python3", "-c", oracle)
	c.Stdin, c.Stdout, c.Stderr = &in, &out, os.Stderr
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	var list []answer
	for lines := json.NewDecoder(bufio.NewReader(&out)); lines.More(); {
		var a answer
		if err := lines.Decode(&a); err != nil {
			t.Fatal(err)
		}
		list = append(list, a)
	}
	if len(list) != len(expressions) {
		t.Fatalf("Python gave %d answers for %d expressions", len(list), len(expressions))
	}
	return list
}

func valueTexts() map[string]string {
	m := map[string]string{}
	for _, v := range variables {
		m[v.name] = v.value
	}
	return m
}

// valuesOf are the values of an expression's names.
func valuesOf(t testing.TB, x *Expression) []Value {
	values := make([]Value, len(x.Names()))
	for i, name := range x.Names() {
		for _, v := range variables {
			if v.name == name.Word {
				constant, err := Parse(v.value)
				if err != nil {
					t.Fatal(err)
				}
				if values[i], err = constant.Run(nil); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return values
}

// compute is our own answer.
func compute(t testing.TB, source string) answer {
	x, err := Parse(source)
	var v Value
	if err == nil {
		v, err = x.Run(valuesOf(t, x))
	}
	var e *Error
	if errors.As(err, &e) {
		return answer{Class: e.Class, Message: e.Message}
	}
	a := answer{Type: v.Type()}
	switch {
	case v.kind == boolKind:
		a.Value = map[bool]string{true: "True", false: "False"}[v.truth()]
	case v.kind == intKind:
		a.Value = v.whole().String()
	case v.kind == floatKind && math.IsNaN(v.float()):
		a.Value = "nan"
	case v.kind == floatKind:
		a.Value = fmt.Sprintf("%016x", v.bits)
	}
	return a
}

// ofSites are formulas of the kinds that sites have set: job priority by size and age, fairshare with a
// logarithm of it, classes by walltime.
var ofSites = []string{
	"queue_priority + 1000*(eligible_time**2 / min(max(walltime, 21600), 43200)**3 * job_priority * ncpus / 560)",
	"(48 * perc) + ((6 * perc) * ((mem/1048576/8) + ncpus + (nurg*32))) + (0.000278 * eligible_time) + " +
		"(4 * log(max(perc, 1e-7)))",
	"job_priority + pow(2, -(usage/perc))*1000 + (100 if walltime <= 3600 and ncpus <= 4 else 0)",
	"ncpus*walltime//3600 - 50*(queue_priority > 100) + sqrt(eligible_time/3600.0)",
}

// TestValuesAndErrorsAreThoseOfPython compares 20,000 expressions bit for bit.
func TestValuesAndErrorsAreThoseOfPython(t *testing.T) {
	const size = 20000
	var expressions []string
	var ours []answer
	left := map[string]int{}
	written := 0
	for c := (corpus{rand.New(rand.NewSource(4))}); len(expressions) < size; written++ {
		source := c.write(written)
		if written < len(ofSites) {
			source = ofSites[written]
		}
		a := compute(t, source)
		if a.Class == Limit || a.Class == Unsupported || a.Class == Statement {
			left[a.Class]++ // Python is not asked what would take it too long
			continue
		}
		expressions, ours = append(expressions, source), append(ours, a)
	}
	outcomes := map[string]int{}
	failures := 0
	for i, want := range askPython(t, expressions) {
		outcomes[want.Class+want.Type]++
		if !sameAnswer(ours[i], want) {
			failures++
			if failures <= 30 {
				t.Errorf("%s\n\tPython %s\n\there   %s", expressions[i], want, ours[i])
			}
		}
	}
	t.Logf("%d expressions, %d differ; outcomes %v; left out of %d written: %v", size, failures, outcomes, written, left)
	if left[Limit] > written/100 || left[Unsupported] > written/20 {
		t.Errorf("too many expressions are not computed: %v of %d", left, written)
	}
	for _, outcome := range []string{"int", "float", "bool", "complex", "SyntaxError", "NameError",
		"TypeError", "ValueError",
		"OverflowError", "ZeroDivisionError"} {
		if outcomes[outcome] < 5 {
			t.Errorf("only %d expressions end in %s", outcomes[outcome], outcome)
		}
	}
}

// sameAnswer compares values exactly. Messages count where a formula that the server has accepted can raise them, and
// where Python is of the release whose words these are.
func sameAnswer(ours, python answer) bool {
	switch python.Class {
	case "ZeroDivisionError", "OverflowError", "ValueError":
		if strings.HasPrefix(python.Version, "3.11.") && ours.Message != python.Message {
			return false
		}
	}
	return ours.Class == python.Class && ours.Type == python.Type && ours.Value == python.Value
}

func TestOtherFunctionsAgreeButForTheirLastBits(t *testing.T) {
	c := corpus{rand.New(rand.NewSource(5))}
	var expressions []string
	for range 4000 {
		x := strconv.FormatFloat(c.NormFloat64()*[]float64{0.01, 1, 10, 1000}[c.Intn(4)], 'g', -1, 64)
		y := strconv.FormatFloat(c.NormFloat64()*10, 'g', -1, 64)
		expressions = append(expressions, c.pick("sin", "cos", "tan", "asin", "acos", "atan",
			"sinh", "cosh", "tanh", "erf")+"("+x+")",
			fmt.Sprintf("atan2(%s, %s)", x, y))
	}
	values := 0
	for i, want := range askPython(t, expressions) {
		got := compute(t, expressions[i])
		if want.Class != "" || got.Class != "" {
			if !sameAnswer(got, want) {
				t.Errorf("%s\n\tPython %s\n\there   %s", expressions[i], want, got)
			}
			continue
		}
		values++
		if x, y := bitsOf(t, got.Value), bitsOf(t, want.Value); math.Abs(x-y) > 2e-13*math.Abs(y)+1e-16 && x != y {
			t.Errorf("%s = %g, Python has %g", expressions[i], x, y)
		}
	}
	if values < len(expressions)/2 {
		t.Errorf("only %d of %d have a value", values, len(expressions))
	}
}

func bitsOf(t *testing.T, hex string) float64 {
	n, err := strconv.ParseUint(hex, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return math.Float64frombits(n)
}
