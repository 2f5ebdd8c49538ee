package pbs

import (
	"bytes"
	"cmp"
	"strings"
)

// readFormula reads sched_formula: a comment, then the formula. The file stays when the formula is unset; where the
// bundle says that no scheduler has one, there is none.
func readFormula(r *reader) error {
	attribute := cmp.Or(r.pbs.Server.Formula, r.pbs.Scheduler().Formula)
	file := r.choose("sched_formula")
	known := r.pbs.Server.Name != "" || len(r.pbs.Schedulers) > 0
	if file == "" || known && attribute == "" {
		r.pbs.Formula = attribute
		return nil
	}
	text, err := r.ReadAll(file, maxConfig)
	if err != nil {
		return err
	}
	_, formula, _ := bytes.Cut(text, []byte{'\n'})
	r.pbs.Formula = strings.TrimSuffix(string(formula), "\n")
	return nil
}
