package pbs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/exporter"
)

// Resource steers by a resource of jobs that job_sort_formula reads. The scheduler keeps the formula's value in
// single precision, so priorities have 24 bits. A job without a request has priority 0.
//
// If a job had no request before, Undo removes the request (qalter -l NAME=). This works for a resource of type
// float. For type long the server sets it to 0 (quirk P37); a formula treats both alike.
type Resource struct {
	way
	Name string
}

// Kind returns the name of this way, which includes the resource.
func (r Resource) Kind() string { return resourceKind + r.Name }

// Attribute returns the attribute that its orders set.
func (r Resource) Attribute() string { return "Resource_List." + r.Name }

// Usable returns an error if the scheduler does not sort by this resource only, or if users can set the
// resource.
func (r Resource) Usable(s *model.Snapshot) error {
	for _, known := range s.Resources {
		if known.Name == r.Name {
			return r.sorts(s)
		}
	}
	return fmt.Errorf("the server has no resource %s; as a manager: qmgr -c \"create resource %s "+
		"type=float,flag=i\"", r.Name, r.Name)
}

func (r Resource) sorts(s *model.Snapshot) error {
	if text := strings.TrimSpace(s.PBS.Formula); text != r.Name {
		sched := "sched"
		if name := s.PBS.Scheduler().Name; name != model.DefaultScheduler {
			sched += " " + name
		}
		return fmt.Errorf("job_sort_formula is %q, not %s; as root on the server's host: qmgr -c \"set "+
			"%s job_sort_formula = %s\"", text, r.Name,
			sched, r.Name)
	}
	return nil
}

// Orders returns orders that set priorities. If a job has no request, and qalter can remove a request, the old
// priority in the order is empty.
func (r Resource) Orders(changes []exporter.PriorityChange, s *model.Snapshot) []model.Order {
	list := exporter.PriorityOrders(r.Attribute(), changes)
	removable := slices.ContainsFunc(s.Resources, func(x model.Resource) bool {
		return x.Name == r.Name && x.Type == model.TypePBSFloat
	})
	asks := map[string]bool{}
	for i := range s.Jobs {
		if p := s.Jobs[i].PBS; p != nil {
			asks[p.ID] = slices.ContainsFunc(s.Jobs[i].Hard, func(q model.Request) bool { return q.Resource == r.Name })
		}
	}
	for i := range list {
		if removable && !asks[list[i].Job] {
			list[i].From = ""
		}
	}
	return list
}

// jobsPerCall limits the length of a command line.
const jobsPerCall = 500

// Commands returns a call of qalter for each priority, the highest first.
func (r Resource) Commands(orders []model.Order) (list []exporter.Command) {
	for _, group := range exporter.ByPriority(orders, jobsPerCall) {
		// The server does not store that a request was removed (quirk P38): the last value comes back.
		if orders[group[0]].To == "" {
			list = append(list, qalter(orders, group, "-l", r.Name+"=0"))
		}
		list = append(list, qalter(orders, group, "-l", r.Name+"="+orders[group[0]].To))
	}
	return list
}

// Read asks the server for the priorities. It does not show the scheduler's order.
func (r Resource) Read(ctx context.Context, run exporter.Runner) (*exporter.Live, error) {
	none, err := r.none(ctx, run)
	if err != nil {
		return nil, err
	}
	return readLive(ctx, run, func(j *listed) map[string]string {
		return map[string]string{r.Attribute(): cmp.Or(j.amount(r.Name), none)}
	})
}

// none returns the priority of a job that does not request the resource. It is empty, or 0 if a request cannot
// be removed.
func (r Resource) none(ctx context.Context, run exporter.Runner) (string, error) {
	results, err := run.Run(ctx, [][]string{{"qmgr", "-c", "list resource " + r.Name}})
	if err != nil {
		return "", err
	}
	isFloat := func(line string) bool { return strings.TrimSpace(line) == "type = float" }
	if len(results) == 1 && slices.ContainsFunc(exporter.Lines(results[0].Out), isFloat) {
		return "", nil
	}
	return "0", nil
}
