package act

import (
	"fmt"
	"slices"
	"strings"

	"qprism/engine/gridengine/dispatch"
	"qprism/engine/model"
)

// own says which jobs are driven: those of which one condition holds.
type own struct {
	all        bool
	conditions []condition
	words      string
}

type condition struct {
	of     func(*model.Job) string
	values []string
}

// owners are what jobs can be chosen by.
var owners = map[string]func(*model.Job) string{
	"user":    func(j *model.Job) string { return j.Owner },
	"project": func(j *model.Job) string { return j.Project },
	"group":   func(j *model.Job) string { return j.Group },
	"job":     func(j *model.Job) string { return fmt.Sprint(j.Number) },
}

// parseOwn reads --own. Nothing is owned that is not named.
func parseOwn(texts []string) (o own, err error) {
	if len(texts) == 0 {
		return o, fmt.Errorf("say which jobs are to be decided about: --own all, user=A,B, project=A, group=A or job=1,2")
	}
	o.words = strings.Join(texts, " ")
	for _, text := range texts {
		name, list, _ := strings.Cut(text, "=")
		switch of := owners[name]; {
		case text == "all":
			o.all = true
		case of == nil || list == "":
			return o, fmt.Errorf("--own %q: use all, user=A,B, project=A, group=A or job=1,2", text)
		default:
			o.conditions = append(o.conditions, condition{of, strings.Split(list, ",")})
		}
	}
	return o, nil
}

// has reports whether a job is driven. Interactive jobs and those that start at once or never are not: they cannot wait.
func (o own) has(j *model.Job) bool {
	const cannotWait = 0x1f // JB_type: immediate, qsh, qlogin, qrsh, qrlogin
	if j.Type&cannotWait != 0 {
		return false
	}
	return o.all || slices.ContainsFunc(o.conditions, func(c condition) bool { return slices.Contains(c.values, c.of(j)) })
}

// waiting are the tasks of driven jobs that have not started.
func (o own) waiting(s *model.Snapshot) map[uint32]model.TaskSet {
	list := map[uint32]model.TaskSet{}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; o.has(j) {
			if tasks := dispatch.Waiting(j); len(tasks) > 0 {
				list[j.Number] = tasks
			}
		}
	}
	return list
}
