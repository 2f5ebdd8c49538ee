package gridengine

import (
	"bytes"
	"math"
	"slices"
	"strconv"

	"qprism/engine/model"
)

// readQstatUrg reads urg, the sum of a job's urgency contributions, from what qstat -urg printed for people: the XML of
// most releases has only the contributions. A job's sum is taken where the numbers beside it are those of qstat.xml,
// so that both are of the same scheduler run.
func readQstatUrg(r *reader, jobs *jobTable) error {
	if !jobs.lacksUrg() {
		return nil
	}
	var columns urgColumns
	return r.EachLine("qstat-urg.txt", func(number int, text []byte) error {
		if columns.header(text) || !columns.complete() {
			return nil
		}
		columns.row(jobs, bytes.Fields(text))
		return nil
	})
}

// lacksUrg reports whether the sum is missing for a job whose contributions are known.
func (t *jobTable) lacksUrg() bool {
	for place := range t.ranks {
		if r := t.at(place).Reported; r != nil && math.IsNaN(r.Urg) && !math.IsNaN(r.RRContr) {
			return true
		}
	}
	return false
}

// urgColumns are the places of columns in the lines of qstat -urg. All of them stand before the job's name, the first
// column that a blank may be in.
type urgColumns struct{ nurg, urg, rrcontr, wtcontr, dlcontr int }

// header reads the line of the columns' names.
func (c *urgColumns) header(text []byte) bool {
	if !bytes.HasPrefix(text, []byte("job-ID ")) {
		return false
	}
	var names []string
	for _, f := range bytes.Fields(text) {
		names = append(names, string(f))
	}
	at := func(name string) int { return slices.Index(names, name) }
	*c = urgColumns{at("nurg"), at("urg"), at("rrcontr"), at("wtcontr"), at("dlcontr")}
	if name := at("name"); name < max(c.nurg, c.urg, c.rrcontr, c.wtcontr, c.dlcontr) {
		*c = urgColumns{}
	}
	return true
}

func (c *urgColumns) complete() bool { return min(c.nurg, c.urg, c.rrcontr, c.wtcontr, c.dlcontr) > 0 }

// row takes the sum from a line, if it is one of a job.
func (c *urgColumns) row(jobs *jobTable, fields [][]byte) {
	if len(fields) <= max(c.nurg, c.urg, c.rrcontr, c.wtcontr, c.dlcontr) {
		return
	}
	id, err := strconv.ParseUint(string(fields[0]), 10, 32)
	if err != nil {
		return // the rule below the header, or a further slot of a task
	}
	j := jobs.find(uint32(id))
	if j == nil || j.Reported == nil {
		return
	}
	value := func(i int) float64 {
		v, err := strconv.ParseFloat(string(fields[i]), 64)
		if err != nil {
			return nan
		}
		return v
	}
	rep := j.Reported
	beside := model.JobReport{NUrg: value(c.nurg), RRContr: value(c.rrcontr), WTContr: value(c.wtcontr), DLContr: value(c.dlcontr)}
	if beside.NUrg == rep.NUrg && beside.RRContr == rep.RRContr && beside.WTContr == rep.WTContr && beside.DLContr == rep.DLContr {
		rep.Urg = value(c.urg)
	}
}
