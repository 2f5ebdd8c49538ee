package gridengine

import (
	"slices"
	"strings"
)

// owed returns the calls with which the watchdog restores holds, requests, reservations and reasons. It does
// not restore -p: the scheduler continues with the last order.
func (d *Dispatcher) owed() [][]string {
	var a amendments
	for _, job := range sortedJobs(d.Jobs(nil)) {
		c := call{targets: []string{job}}
		for _, attribute := range altered {
			switch k := d.Claim(job, attribute); {
			case k == nil, attribute == priority:
			case attribute == after && d.Claim(job, held) != nil: // -hold_jid applies to whole jobs, and -h to tasks
				a.add(call{targets: []string{job}, options: options(attribute, k.Was)})
			default:
				c.options = append(c.options, options(attribute, k.Was)...)
			}
		}
		if k := d.Claim(job, held); k != nil {
			c.options = append(c.options, "-h", "O")
			if tasks := d.tasks(job, held); len(tasks) > 1 || !tasks[1] {
				c.targets = []string{target(job, tasks, true)}
			}
		}
		a.add(c)
	}
	list := make([][]string, len(a.calls))
	for i := range a.calls {
		list[i] = a.calls[i].argv()
	}
	return slices.DeleteFunc(list, func(argv []string) bool { return strings.Contains(strings.Join(argv, ""), "\n") })
}
