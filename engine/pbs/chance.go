package pbs

import (
	"fmt"

	"qprism/engine/batch"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

// Chances says which jobs of PBS can never run.
type Chances struct {
	snapshot *model.Snapshot
	idle     *cycle.Idle
	known    map[string]*batch.Chance
	looked   map[string]bool // for what is to blame
}

// mostBlamed bounds the different jobs of which the request to blame is looked for.
const mostBlamed = 200

// NewChances makes Chances for the vnodes of a snapshot, as if no job ran there.
func NewChances(s *model.Snapshot) *Chances {
	return &Chances{snapshot: s, idle: cycle.NewIdle(s), known: map[string]*batch.Chance{}, looked: map[string]bool{}}
}

// Of says whether a job can ever run. If not, it names the request that keeps the job from running. For a job
// in the queue of a reservation the answer is unknown.
func (c *Chances) Of(j *model.Job) *batch.Chance {
	if lacks := c.lacking(j); len(lacks) > 0 {
		return &batch.Chance{Unknown: lacks}
	}
	key := keyOf(j)
	a := c.verdict(key, j)
	if a.Never && !c.looked[key] && len(c.looked) < mostBlamed {
		c.looked[key] = true
		b := blaming{c, j, a.Why[0]}
		a.Blames, a.All = b.find()
	}
	return a
}

// Never reports whether a job can never run. It is faster than Of, because it looks for no cause.
func (c *Chances) Never(j *model.Job) bool {
	return len(c.lacking(j)) == 0 && c.verdict(keyOf(j), j).Never
}

func (c *Chances) verdict(key string, j *model.Job) *batch.Chance {
	if c.known[key] == nil {
		c.known[key] = c.find(j)
	}
	return c.known[key]
}

// keyOf tells jobs apart that ask for different things.
func keyOf(j *model.Job) string {
	p := j.PBS
	return fmt.Sprintf("%q", []any{p.Queue, j.Owner, j.Group, j.Project, p.SchedSelect, p.Select, p.Place, hard(j)})
}

// hard are the requests of a job as text.
func hard(j *model.Job) (list []string) {
	for _, r := range j.Hard {
		list = append(list, r.Resource+"="+r.Value)
	}
	return list
}

// lacking names what is not known of the cluster.
func (c *Chances) lacking(j *model.Job) (files []string) {
	s := c.snapshot
	switch {
	case s.System == model.Torque:
		return []string{"the rules of Torque's scheduler"}
	case j.PBS.Reservation != "":
		return []string{"the reservation of its queue"}
	}
	if other := s.ServedElsewhere(j.PBS.Queue); other != nil {
		return []string{"the plan of scheduler " + other.Name + ", which schedules its queue"}
	}
	if !s.PBS.SchedConfig.Present {
		files = append(files, "sched_config")
	}
	if len(s.Queues) == 0 {
		files = append(files, "qstat_Qf.json")
	}
	if len(s.Hosts) == 0 {
		files = append(files, "pbsnodes_av.json")
	}
	return files
}

func (c *Chances) find(j *model.Job) *batch.Chance {
	ok, why := c.idle.Fits(j)
	if ok {
		return &batch.Chance{}
	}
	return &batch.Chance{Never: true, Why: []model.Reason{why}}
}

func (c *Chances) fits(j *model.Job) bool {
	ok, _ := c.idle.Fits(j)
	return ok
}
