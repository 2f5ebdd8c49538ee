package pbs

import (
	"context"
	"fmt"
	"regexp"

	"qprism/engine/model"
	"qprism/exporter"
)

// Priority steers by -p of qalter, which job_sort_formula reads as job_priority.
type Priority struct{ way }

// Kind returns the name of this way. Grid Engine's "qalter -p" is another one.
func (Priority) Kind() string { return "qalter -p of PBS" }

// priority is the attribute that its orders set.
const priority = "Priority"

var jobPriority = regexp.MustCompile(`\bjob_priority\b`)

// Usable returns an error if the formula does not read the priority.
func (Priority) Usable(s *model.Snapshot) error {
	if jobPriority.MatchString(s.PBS.Formula) {
		return nil
	}
	what := "the server has no job_sort_formula"
	if s.PBS.Formula != "" {
		what = fmt.Sprintf("job_sort_formula is %q and does not use job_priority", s.PBS.Formula)
	}
	return fmt.Errorf("%s, so -p has no effect. A manager can set the formula: "+
		"qmgr -c \"set server job_sort_formula = job_priority\"", what)
}

// Orders returns orders that set priorities.
func (Priority) Orders(changes []exporter.PriorityChange) []model.Order {
	return exporter.PriorityOrders(priority, changes)
}

// Commands returns a call of qalter for each priority, the highest first.
func (Priority) Commands(orders []model.Order) (list []exporter.Command) {
	for _, group := range exporter.ByPriority(orders, jobsPerCall) {
		list = append(list, qalter(orders, group, "-p", orders[group[0]].To))
	}
	return list
}

// qalter makes a call for some orders.
func qalter(orders []model.Order, group []int, option, value string) exporter.Command {
	args := []string{"qalter", option, value}
	for _, k := range group {
		args = append(args, orders[k].Job)
	}
	return exporter.Command{Args: args, Orders: group}
}

// Read asks the server for the priorities. It does not show the scheduler's order.
func (Priority) Read(ctx context.Context, run exporter.Runner) (*exporter.Live, error) {
	return readLive(ctx, run, func(j *listed) map[string]string { return map[string]string{priority: j.priority()} })
}
