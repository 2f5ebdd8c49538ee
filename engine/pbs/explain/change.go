package explain

import (
	"slices"

	"qprism/engine/explain"
	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// apply is the snapshot after a change by which one job is to pass another one. What the change does not
// touch is shared with the snapshot given.
func apply(c explain.Change, s *model.Snapshot, passer, passed *model.Job) *model.Snapshot {
	n := *s
	switch c.Kind {
	case explain.ByPriority, explain.ByEligible:
		n.Jobs = slices.Clone(s.Jobs)
		for i := range n.Jobs {
			if n.Jobs[i].Same(passer) {
				n.Jobs[i] = altered(c, passer)
			}
		}
	case explain.ByUsed:
		n.PBS = moreUsed(s.PBS, fairshare.EntityOf(s.PBS.Fairshare.Policy, passed), float64(c.Amount))
	case explain.ByQueue:
		n.Queues = slices.Clone(s.Queues)
		for i := range n.Queues {
			if q := n.Queues[i].PBS; q != nil && n.Queues[i].Name == passer.PBS.Queue {
				own := *q
				own.Priority = int(c.Amount)
				n.Queues[i].PBS = &own
			}
		}
	case explain.ByGroup:
		n.PBS = regrouped(s.PBS, fairshare.EntityOf(s.PBS.Fairshare.Policy, passer), int32(c.Amount))
	}
	return &n
}

// altered is a job after a change to itself.
func altered(c explain.Change, job *model.Job) model.Job {
	j := *job
	switch c.Kind {
	case explain.ByPriority:
		j.PosixPriority = int(c.Amount)
	case explain.ByEligible:
		own := *j.PBS
		own.EligibleTime += c.Seconds()
		j.PBS = &own
	}
	return j
}

// moreUsed adds to what an entity has used.
func moreUsed(p *model.PBS, entity string, amount float64) *model.PBS {
	n := *p
	n.Fairshare.Usage.Records = slices.Clone(p.Fairshare.Usage.Records)
	i := slices.IndexFunc(n.Fairshare.Usage.Records, func(r model.EntityUsage) bool { return r.Name == entity })
	if i < 0 {
		i = len(n.Fairshare.Usage.Records)
		n.Fairshare.Usage.Records = append(n.Fairshare.Usage.Records, model.EntityUsage{Name: entity, Usage: 1})
	}
	n.Fairshare.Usage.Records[i].Usage += amount
	return &n
}

// regrouped gives an entity other shares.
func regrouped(p *model.PBS, entity string, shares int32) *model.PBS {
	n := *p
	n.Fairshare.Groups = slices.Clone(p.Fairshare.Groups)
	for i := range n.Fairshare.Groups {
		if n.Fairshare.Groups[i].Name == entity {
			n.Fairshare.Groups[i].Shares = shares
		}
	}
	return &n
}
