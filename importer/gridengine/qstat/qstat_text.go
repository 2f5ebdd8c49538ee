package qstat

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
)

// readQstatUrg reads urg, which the XML of most releases lacks, from what qstat -urg printed for people. A
// job's value is taken where the numbers beside it are those of qstat.xml: both are then of the same run.
func readQstatUrg(r *reader, jobs *jobTable) error {
	if !jobs.missesUrg() {
		return nil
	}
	var columns urgColumns
	return r.EachLine("qstat-urg.txt", func(_ int, text []byte) error {
		if bytes.HasPrefix(text, []byte("job-ID ")) {
			columns = findColumns(strings.Fields(string(text)))
		} else if columns != nil {
			columns.row(jobs, strings.Fields(string(text)))
		}
		return nil
	})
}

// missesUrg reports whether the sum is missing for a job whose contributions are known.
func (t *jobTable) missesUrg() bool {
	for place := range t.ranks {
		if r := t.at(place).Reported; r != nil && math.IsNaN(r.Urg) && !math.IsNaN(r.RRContr) {
			return true
		}
	}
	return false
}

// urgColumns are the places of urgNames in the lines of qstat -urg.
type urgColumns []int

var urgNames = []string{"urg", "nurg", "rrcontr", "wtcontr", "dlcontr"}

// findColumns finds them in the line of headings; nil unless all stand before the job's name, which may
// have blanks in it.
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

// row takes the sum from a line, if it is one of a job.
func (c urgColumns) row(jobs *jobTable, row []string) {
	if len(row) <= slices.Max(c) {
		return
	}
	id, err := strconv.ParseUint(row[0], 10, 32)
	if err != nil {
		return // the rule below the header, or a further slot of a task
	}
	j := jobs.find(uint32(id))
	if j == nil || j.Reported == nil {
		return
	}
	rep := j.Reported
	for i, have := range []float64{rep.NUrg, rep.RRContr, rep.WTContr, rep.DLContr} {
		if v, err := strconv.ParseFloat(row[c[i+1]], 64); err != nil || v != have {
			return
		}
	}
	rep.Urg = nan
	if v, err := strconv.ParseFloat(row[c[0]], 64); err == nil {
		rep.Urg = v
	}
}
