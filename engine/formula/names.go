package formula

import (
	"slices"
	"strings"

	"qprism/engine/model"
)

// Names are the resources of a server, by type. Formulas may use the numeric ones only.
type Names struct {
	Numeric []string // of type long, float, size or time
	Other   []string // strings, booleans
}

// NamesOf divides the resources of a PBS server by type.
func NamesOf(resources []model.Resource) Names {
	var n Names
	for _, r := range resources {
		switch r.Type {
		case model.TypePBSLong, model.TypePBSFloat, model.TypePBSSize, model.TypePBSTime:
			n.Numeric = append(n.Numeric, r.Name)
		default:
			n.Other = append(n.Other, r.Name)
		}
	}
	slices.Sort(n.Numeric)
	slices.Sort(n.Other)
	return n
}

// KnownNames are the resources of the server if they are listed, else the standard ones.
func KnownNames(resources []model.Resource) Names {
	if n := NamesOf(resources); len(n.Numeric) > 0 {
		return n
	}
	return StandardNames()
}

// StandardNames are the resources of every OpenPBS server of release 23, pbs_resources(7B).
func StandardNames() Names {
	return Names{
		Numeric: strings.Fields(`accelerator_memory cpupercent cput energy file hbmem hpm max_walltime mem min_walltime mpiprocs
			naccelerators nchunk ncpus nice nodect ompthreads pcap_accelerator pcap_node pcput pmem pvmem soft_walltime
			ssinodes start_time vmem walltime`),
		Other: strings.Fields(`accelerator accelerator_group accelerator_model aoe arch eoe exec_vnode host nodemask nodes
			partition pe_mask pgov place preempt_targets pstate resc select site software vnode vntype`),
	}
}

// The names of the scheduler's own numbers.
const (
	eligibleTime  = "eligible_time"
	queuePriority = "queue_priority"
	jobPriority   = "job_priority"
	sharePerc     = "fairshare_perc"
	oldSharePerc  = "fair_share_perc"
	treeUsage     = "fairshare_tree_usage"
	shareFactor   = "fairshare_factor"
	accrueType    = "accrue_type"
)

var ownNames = []string{eligibleTime, queuePriority, jobPriority, sharePerc, oldSharePerc,
	treeUsage, shareFactor, accrueType}

// all are all names, the scheduler's own with them.
func (n Names) all() []string { return slices.Concat(n.Numeric, n.Other, ownNames) }

// numeric are the names with values.
func (n Names) numeric() []string { return slices.Concat(n.Numeric, ownNames) }

// closest is the name that a misspelled one probably means; empty if no name is similar.
func (n Names) closest(word string) string {
	best, least := "", 3
	for _, name := range n.numeric() {
		if d := distance(strings.ToLower(word), name); d < least && d <= len(name)/2 {
			best, least = name, d
		}
	}
	return best
}

// distance is the number of letters to add, leave out or change to make a of b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
