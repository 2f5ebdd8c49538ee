package qstat

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
)

// An urgRow has the numbers of urgNames in a line of qstat -urg. A text that is no number is NaN.
type urgRow struct {
	job    uint32
	values [5]float64
}

// readQstatUrg reads the output of qstat -urg for people.
func readQstatUrg(r *reader) (rows []urgRow, err error) {
	var columns urgColumns
	var words [][]byte // used again for each line
	err = r.EachLine("qstat-urg.txt", func(_ int, text []byte) error {
		if bytes.HasPrefix(text, []byte("job-ID ")) {
			columns = findColumns(strings.Fields(string(text)))
		} else if columns != nil {
			words = slices.AppendSeq(words[:0], bytes.FieldsSeq(text))
			rows = columns.add(rows, words)
		}
		return nil
	})
	return rows, err
}

// addUrg adds urg to the jobs, because the XML of most releases lacks it. It takes a job's value only if the numbers
// beside it are equal to those of qstat.xml. Then both are from the same run.
func (t *jobTable) addUrg(rows []urgRow) {
	for i := range rows {
		if j := t.find(rows[i].job); j != nil && j.Reported != nil {
			rep, row := j.Reported, &rows[i].values
			if [4]float64{rep.NUrg, rep.RRContr, rep.WTContr, rep.DLContr} == [4]float64(row[1:]) {
				rep.Urg = row[0]
			}
		}
	}
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

// add adds the row of a job. It ignores other lines, such as the one below the headings.
func (c urgColumns) add(rows []urgRow, words [][]byte) []urgRow {
	if len(words) <= slices.Max(c) {
		return rows
	}
	id, err := strconv.ParseUint(string(words[0]), 10, 32)
	if err != nil {
		return rows
	}
	row := urgRow{job: uint32(id)}
	for i, column := range c {
		if row.values[i], err = strconv.ParseFloat(string(words[column]), 64); err != nil {
			row.values[i] = nan
		}
	}
	return append(rows, row)
}
