package whatif

import (
	"strconv"
	"strings"

	"qprism/engine/model"
)

// UsageResource is the fairshare_usage_res of pbs_sched(8B) that charges like usage_weight_list of
// sched_conf(5). unit is the charge for one unit of Grid Engine.
//
// Memory over time becomes the maximum memory in gigabytes, multiplied by the run time. This is never less
// than the real value. PBS does not know io. If the share tree counts reserved resources, cpu is slots
// multiplied by time. The note lists the differences; it is empty if there are none.
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
			notes = append(notes, "mem: the highest memory of a job, multiplied by its run time; this is at "+
				"least what Grid Engine counts")
		default:
			notes = append(notes, w.Name+": PBS does not know this resource")
		}
	}
	if len(terms) == 0 {
		return "cput", "cput: no other weighted usage is known"
	}
	return strings.TrimPrefix(strings.Join(terms, "+"), "1*"), strings.Join(notes, "; ")
}

// reservedUsage reports whether the share tree counts what jobs asked for, not what they used:
// SHARETREE_RESERVED_USAGE of sge_conf(5).
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
