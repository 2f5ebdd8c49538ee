package whatif

import (
	"strconv"
	"strings"

	"qprism/engine/model"
)

// UsageResource is the fairshare_usage_res (pbs_sched(8B)) with which PBS charges the same as
// usage_weight_list (sched_conf(5)); unit is one unit of Grid Engine. Memory over time becomes peak memory
// times run time, in gigabytes, which is never less. PBS does not know io. If the share tree counts reserved
// usage, cpu is slots times time. note lists the differences; it is empty if there are none.
func UsageResource(s *model.Snapshot, unit float64) (formula, note string) {
	cpu := "cput"
	if reservedUsage(s) {
		cpu = "ncpus*walltime"
	}
	var terms, notes []string
	for _, w := range s.Policy.UsageWeights {
		factor := strconv.FormatFloat(w.Value*unit, 'f', -1, 64) + "*"
		switch {
		case w.Value == 0:
		case w.Name == "cpu":
			terms = append(terms, factor+cpu)
		case w.Name == "mem":
			terms = append(terms, factor+"mem/1048576*walltime")
			notes = append(notes, "mem: the most memory that a job used for as long as it ran, which is no less than what Grid Engine counts")
		default:
			notes = append(notes, w.Name+": PBS does not know it")
		}
	}
	if len(terms) == 0 {
		return "cput", "cput, since nothing else that is weighed is known"
	}
	return strings.TrimPrefix(strings.Join(terms, "+"), "1*"), strings.Join(notes, "; ")
}

// reservedUsage reports whether the share tree counts what jobs asked for, not what they used: SHARETREE_RESERVED_USAGE of sge_conf(5).
func reservedUsage(s *model.Snapshot) bool {
	params, _ := model.Text(s.Config.Global, "execd_params")
	for p := range strings.FieldsFuncSeq(params, func(c rune) bool { return strings.ContainsRune(", \t\r\n", c) }) {
		if name, value, _ := strings.Cut(p, "="); strings.EqualFold(name, "SHARETREE_RESERVED_USAGE") {
			on, err := model.ParseBool(value)
			return err == nil && on
		}
	}
	return false
}
