package dispatch

import (
	"fmt"
	"slices"
	"strings"

	"qprism/engine/model"
)

// A Choice selects jobs by one condition.
type Choice struct {
	All        bool
	Jobs       []string // job numbers
	conditions []condition
}

type condition struct {
	of     func(*model.Job) string
	values []string
}

// attributes are what jobs can be chosen by.
var attributes = map[string]func(*model.Job) string{
	"user":    func(j *model.Job) string { return j.Owner },
	"project": func(j *model.Job) string { return j.Project },
	"group":   func(j *model.Job) string { return j.Group },
	"job":     func(j *model.Job) string { return fmt.Sprint(j.Number) },
	"pe":      func(j *model.Job) string { return j.PE },
	"name":    func(j *model.Job) string { return j.Name },
}

// Forms are the conditions that Choose reads, for messages.
const Forms = "all, user=A,B, project=A, group=A, pe=A, name=A or job=1,2"

// Choose reads a choice. A text of numbers only selects these jobs.
func Choose(texts []string) (c Choice, err error) {
	for _, text := range texts {
		if strings.Trim(text, "0123456789,") == "" && text != "" {
			text = "job=" + text
		}
		name, list, _ := strings.Cut(text, "=")
		switch of := attributes[name]; {
		case text == "all":
			c.All = true
		case of == nil || list == "":
			return c, fmt.Errorf("%q: use %s", text, Forms)
		default:
			values := strings.Split(list, ",")
			if c.conditions = append(c.conditions, condition{of, values}); name == "job" {
				c.Jobs = append(c.Jobs, values...)
			}
		}
	}
	return c, nil
}

// Has reports whether the choice selects a job.
func (c Choice) Has(j *model.Job) bool {
	return c.All || slices.ContainsFunc(c.conditions, func(o condition) bool { return slices.Contains(o.values, o.of(j)) })
}
