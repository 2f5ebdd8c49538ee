package cycle_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"testing"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

// A placement is a row of placements.json: what a job asked for, and where it was placed.
type placement struct {
	Name, JobID, Select string
	Place               *string
	ExecVnode           *string `json:"exec_vnode"`
	Comment             string
}

// TestPlacesJobsWhereARealSchedulerDid places jobs one by one in an empty complex of several set-ups.
func TestPlacesJobsWhereARealSchedulerDid(t *testing.T) {
	rows, same := 0, 0
	for _, s := range scenarios(t) {
		setups, _ := fs.Glob(s.files, "*/placements.json")
		for _, file := range setups {
			setup := path.Dir(file)
			before := s.snapshot(t, setup+"/mix_before")
			if before == nil {
				t.Fatal(setup)
			}
			m := &cycle.Memory{}
			for _, r := range placements(t, s, file) {
				c := s.cycleOf(r.JobID)
				if c == nil || len(c.Considered) != 1 {
					continue // one of those that were placed together, in a cycle of its own
				}
				rows++
				empty := *before
				empty.Jobs = []model.Job{job(r, before)}
				empty.Hosts = occupied(&empty)
				got := placed(cycle.Run(&empty, cycle.Options{At: c.at(), Memory: m}))
				if want := r.outcome(); got == want {
					same++
				} else {
					t.Errorf("%s/%s (%s, %s):\nwant %s\ngot  %s", setup, r.Name, r.Select, deref(r.Place), want, got)
				}
			}
		}
	}
	t.Logf("%d of %d jobs are placed as recorded, or wait for the same reason", same, rows)
	if rows < 100 {
		t.Errorf("only %d placements are recorded", rows)
	}
}

func placements(t *testing.T, s *scenario, file string) []placement {
	t.Helper()
	text, err := fs.ReadFile(s.files, file)
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Rows []placement }
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all.Rows
}

// cycleOf is the first cycle that considered a job.
func (s *scenario) cycleOf(id string) *cycleTruth {
	for i := range s.truth.Cycles {
		for _, c := range s.truth.Cycles[i].Considered {
			if c == id {
				return &s.truth.Cycles[i]
			}
		}
	}
	return nil
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// outcome is where a job was placed, else its comment.
func (r *placement) outcome() string { return cmp.Or(deref(r.ExecVnode), r.Comment) }

// placed is the same of a plan.
func placed(p *model.Plan) string {
	if len(p.Decisions) == 0 {
		return "nothing"
	}
	if d := p.Decisions[0]; d.Verdict == model.Now {
		return d.Placed
	} else {
		return d.Why[0].Comment
	}
}

// job is the job of a row as the server has it: chunks without processors get one.
func job(r placement, s *model.Snapshot) model.Job {
	number, _ := strconv.ParseUint(strings.SplitN(r.JobID, ".", 2)[0], 10, 32)
	var chunks []string
	sums := map[string]float64{}
	for _, c := range strings.Split(r.Select, "+") {
		if !strings.Contains(c, "ncpus=") {
			c += ":ncpus=1"
		}
		chunks = append(chunks, c)
		count, rest, _ := strings.Cut(c, ":")
		n, _ := strconv.ParseFloat(count, 64)
		for _, f := range strings.Split(rest, ":") {
			name, value, _ := strings.Cut(f, "=")
			if amount, ok := model.PBSAmount(value); ok {
				sums[name] += n * amount
			}
		}
	}
	j := model.Job{Number: uint32(number), Owner: "alice", Group: "alice", PBS: &model.PBSJob{
		ID: r.JobID, State: "Q", Queue: s.PBS.Server.DefaultQueue, Select: r.Select, SchedSelect: strings.Join(chunks, "+"),
		Place: cmp.Or(deref(r.Place), "free"),
	}}
	for _, name := range []string{"mem", "mpiprocs", "ncpus"} {
		if sum, ok := sums[name]; ok {
			value := fmt.Sprint(int64(sum))
			if name == "mem" {
				value += "kb"
			}
			j.Hard = append(j.Hard, model.Request{Resource: name, Value: value, Amount: sum})
		}
	}
	return j
}
