package show

import (
	"bytes"
	"encoding/csv"
	"testing"
)

func TestCSVHoldsNoFormulaUnlessItIsAskedForAsItIs(t *testing.T) {
	cells := map[string]string{
		"=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0", "+1+2": "'+1+2", "-2+3": "'-2+3", "@SUM(A1)": "'@SUM(A1)", "-rf": "'-rf", "＝1": "'＝1",
		"-":  "-",
		"-5": "-5", "+5": "+5", "-0.25": "-0.25", "-1e-07": "-1e-07", "plain": "plain", "": "",
		"\t=1": `\t=1`, "\r=1": `\r=1`, "a\x1bb": `a\x1bb`, `a\b`: `a\\b`,
	}
	for name, want := range cells {
		if got := cellOf(t, Output{Format: "csv"}, name); got != want {
			t.Errorf("%q is written as %q, not as %q", name, got, want)
		}
	}
	for _, name := range []string{"=1", "-rf", "@a"} {
		if got := cellOf(t, Output{Format: "csv", Exact: true}, name); got != name {
			t.Errorf("exactly %q is written as %q", name, got)
		}
		if got := cellOf(t, Output{Format: "tsv"}, name); got != name {
			t.Errorf("%q is %q in TSV", name, got)
		}
	}
}

// cellOf prints a table of one cell and reads it again.
func cellOf(t *testing.T, out Output, cell string) string {
	t.Helper()
	var b bytes.Buffer
	out.W = &b
	s := Sheet{Columns: Columns("name", "other")}
	s.Add(cell, "x")
	if err := out.Sheet(s); err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(&b)
	if out.Format == "tsv" {
		r.Comma, r.LazyQuotes = '\t', true
	}
	rows, err := r.ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatal(rows, err)
	}
	return rows[1][0]
}
