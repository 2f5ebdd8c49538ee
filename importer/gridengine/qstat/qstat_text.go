package qstat

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
)

// readQstatUrg reads urg from the output of qstat -urg for people, because the XML of most releases lacks it.
// It takes a job's value only if the numbers beside it are equal to those of qstat.xml. Then both are from the
// same run.
func readQstatUrg(r *reader, jobs *jobTable) error {
	if !jobs.missesUrg() {
		return nil
	}
	var columns urgColumns
	var row [][]byte // used again for each line
	return r.EachLine("qstat-urg.txt", func(_ int, text []byte) error {
		if bytes.HasPrefix(text, []byte("job-ID ")) {
			columns = findColumns(strings.Fields(string(text)))
		} else if columns != nil {
			row = slices.AppendSeq(row[:0], bytes.FieldsSeq(text))
			columns.row(jobs, row)
		}
		return nil
	})
}

// missesUrg reports whether a job with known contributions lacks the sum.
func (t *jobTable) missesUrg() bool {
	for place := range t.ranks {
		if r := t.at(place).Reported; r != nil && math.IsNaN(r.Urg) && !math.IsNaN(r.RRContr) {
			return true
		}
	}
	return false
}

// urgColumns are the indices of urgNames in the lines of qstat -urg.
type urgColumns []int

var urgNames = []string{"urg", "nurg", "rrcontr", "wtcontr", "dlcontr"}

// findColumns finds the columns in the headings. It returns nil unless all are before the job's name, which may
// have blanks.
func findColumns(headings []string) (c urgColumns) {
	for _, name := range urgNames {
		at := slices.Index(headings, name)
		if at <= 0 || at > slices.Index(headings, "name") {
			return nil
		}
		c = append(c, at)
	}
	return c
}

// row reads the sum from the line of a job.
func (c urgColumns) row(jobs *jobTable, row [][]byte) {
	if len(row) <= slices.Max(c) {
		return
	}
	id, err := strconv.ParseUint(string(row[0]), 10, 32)
	if err != nil {
		return // the line below the header, or another slot of a task
	}
	j := jobs.find(uint32(id))
	if j == nil || j.Reported == nil {
		return
	}
	rep := j.Reported
	for i, have := range []float64{rep.NUrg, rep.RRContr, rep.WTContr, rep.DLContr} {
		if v, err := strconv.ParseFloat(string(row[c[i+1]]), 64); err != nil || v != have {
			return
		}
	}
	rep.Urg = nan
	if v, err := strconv.ParseFloat(string(row[c[0]]), 64); err == nil {
		rep.Urg = v
	}
}
