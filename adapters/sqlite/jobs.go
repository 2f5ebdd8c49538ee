package sqlite

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"

	"qprism/engine/model"
)

// Three things are stored of a job: who it is and what it is called (a row of job), what it asks for (a row of spec,
// shared by all jobs that ask for the same), and its state and priorities, which change with every scheduler run
// (packed with those of jobs with numbers close to its own). Only the last costs anything in further snapshots.
var notInSpec = []string{"Number", "Name", "Submitted", "Tasks", "Reported", "Messages", "PBS"}

// A jobState is what changes of a job by itself.
type jobState struct {
	Number   uint32
	Tasks    []model.Task
	Reported *model.JobReport
	Messages []model.JobReason
	PBS      *model.PBSJob
}

const (
	stateNoun = "job_state"
	orderNoun = "job_order"
)

// A jobRow is a row of job.
type jobRow struct {
	number    int64
	submitted int64 // microseconds since 1970
	name      string
	spec      int64
}

// sealWith is the seal of the row with its id, its cluster's, and the hash of its spec.
func (r jobRow) sealWith(id, cluster int64, spec []byte) int64 {
	var text []byte
	for _, n := range []int64{id, cluster, r.number, r.submitted} {
		text = binary.LittleEndian.AppendUint64(text, uint64(n))
	}
	return int64(sumOf(append(append(text, spec...), r.name...)))
}

// An orderEntry is a job's place in the master's order.
type orderEntry struct {
	Job int64 // the id of its row
}

// A jobWriter writes the jobs of one snapshot.
type jobWriter struct {
	*writer
	specs map[hash]int64 // known so far
	last  int64          // id of a row of job
	body  []byte
}

func (w *writer) jobs(jobs []model.Job) error {
	if len(jobs) == 0 {
		return nil
	}
	last, err := w.find(`SELECT coalesce(max(id), 0) FROM job`)
	if err != nil {
		return err
	}
	jw := &jobWriter{writer: w, specs: map[hash]int64{}, last: last}
	order := make([]orderEntry, len(jobs))
	byNumber := sortedByNumber(jobs)
	for start := 0; start < len(byNumber); {
		end := stateEnd(jobs, byNumber, start)
		if err := jw.part(jobs, byNumber[start:end], order); err != nil {
			return err
		}
		if err := w.pause(); err != nil {
			return err
		}
		start = end
	}
	return w.part(orderNoun, 0, reflect.ValueOf(order), nil)
}

// sortedByNumber returns indices of jobs in the order of their numbers, and of their places where numbers are the same.
func sortedByNumber(jobs []model.Job) []int {
	indices := make([]int, len(jobs))
	for i := range indices {
		indices[i] = i
	}
	slices.SortFunc(indices, func(a, b int) int {
		return cmp.Or(cmp.Compare(jobs[a].Number, jobs[b].Number), cmp.Compare(a, b))
	})
	return indices
}

// stateEnd returns where the part ends that begins with the job at start: after jobs whose numbers say so, so that jobs
// that come and go change the parts they are in only; but never between jobs of one number.
func stateEnd(jobs []model.Job, byNumber []int, start int) int {
	weight := 0
	for i := start; i < len(byNumber); i++ {
		j := &jobs[byNumber[i]]
		if i > start && jobs[byNumber[i-1]].Number != j.Number &&
			(weight >= partWeight || scramble(uint64(j.Number))%partLength == 0) {
			return i
		}
		weight += 1 + len(j.Tasks) + len(j.Messages)
	}
	return len(byNumber)
}

// part writes jobs with numbers close to each other, and notes their rows at their places in the order.
func (w *jobWriter) part(jobs []model.Job, indices []int, order []orderEntry) error {
	first, last := jobs[indices[0]].Number, jobs[indices[len(indices)-1]].Number
	known, err := w.rows(first, last)
	if err != nil {
		return err
	}
	states := make([]jobState, len(indices))
	for k, i := range indices {
		j := &jobs[i]
		states[k] = jobState{j.Number, j.Tasks, j.Reported, j.Messages, j.PBS}
		row, spec, err := w.row(j)
		if err != nil {
			return fmt.Errorf("job %d: %w", j.Number, err)
		}
		if order[i].Job = known[row]; order[i].Job == 0 {
			w.last++
			if order[i].Job, err = w.insert(`INSERT INTO job (id, cluster_id, number, submitted, name, spec_id, seal)
				VALUES (?, ?, ?, ?, ?, ?, ?)`, w.last, w.cluster, row.number, row.submitted, row.name, row.spec,
				row.sealWith(w.last, w.cluster, spec[:])); err != nil {
				return fmt.Errorf("job %d: %w", j.Number, err)
			}
			known[row] = order[i].Job
		}
	}
	return w.writer.part(stateNoun, int64(first), reflect.ValueOf(states), nil)
}

// rows reads the rows that the store has of jobs with these numbers.
func (w *jobWriter) rows(first, last uint32) (map[jobRow]int64, error) {
	s, err := w.statement(`SELECT id, number, submitted, name, spec_id FROM job
		WHERE cluster_id = ? AND number BETWEEN ? AND ?`)
	if err != nil {
		return nil, err
	}
	rows, err := s.Query(w.cluster, first, last)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	known := map[jobRow]int64{}
	for rows.Next() {
		var r jobRow
		var id int64
		if err := rows.Scan(&id, &r.number, &r.submitted, &r.name, &r.spec); err != nil {
			return nil, err
		}
		known[r] = id
	}
	return known, rows.Err()
}

// row makes a job's row, and stores its spec, whose hash it returns too.
func (w *jobWriter) row(j *model.Job) (jobRow, hash, error) {
	submitted, err := micros(j.Submitted)
	if err != nil {
		return jobRow{}, hash{}, err
	}
	spec, sum, err := w.spec(j)
	return jobRow{int64(j.Number), submitted, escape(j.Name), spec}, sum, err
}

// spec stores what a job asks for, unless it is stored.
func (w *jobWriter) spec(j *model.Job) (id int64, sum hash, err error) {
	if w.body, err = appendBody(w.body[:0], reflect.ValueOf(j).Elem(), notInSpec); err != nil {
		return 0, sum, err
	}
	sum = sha256.Sum256(w.body)
	if id = w.specs[sum]; id != 0 {
		return id, sum, nil
	}
	if id, err = w.find(`SELECT id FROM spec WHERE hash = ?`, sum[:]); err == nil && id == 0 {
		id, err = w.insert(`INSERT INTO spec (hash, body) VALUES (?, ?)`, sum[:], string(w.body))
		w.bytes += int64(len(w.body))
	}
	w.specs[sum] = id
	return id, sum, err
}
