package next

import (
	"fmt"
	"strings"

	"qprism/cmd/qprism/cli"
	"qprism/engine/batch"
	"qprism/engine/model"
)

// adviseNever is the command that lets a job run that never can: qalter with what would fit, or what else is left.
func adviseNever(j *model.Job, a *batch.Chance) string {
	if len(a.Blames) > 0 && a.Blames[0].Kind == batch.Quota {
		return "qquota and qconf -srqs show the quotas; qdel " + numberText(j) + " takes it away"
	}
	if len(a.Blames) > 0 && a.Blames[0].Kind == batch.Access {
		return "qconf -sq QUEUE shows who may use a queue; qdel " + numberText(j) + " takes it away"
	}
	var options []string
	for i := range a.Blames {
		b := &a.Blames[i]
		if len(b.Nearest) > 0 && (a.All || len(options) == 0) {
			options = append(options, b.Nearest[0])
		}
	}
	if len(options) == 0 || a.All && len(options) < len(a.Blames) {
		return "qdel " + numberText(j) + ", and submit it again without what nothing suits"
	}
	return "qalter " + alterations(j, options) + " " + numberText(j) + " lets it run once there is room"
}

func numberText(j *model.Job) string { return fmt.Sprint(j.Number) }

// alterations are options of qalter. It replaces the whole list of resources, so that -l has the others too.
func alterations(j *model.Job, options []string) string {
	resources := map[string]string{}
	var order, rest []string
	for _, r := range j.Hard {
		order = append(order, r.Resource)
		resources[r.Resource] = r.Value
	}
	altered := false
	for _, o := range options {
		request, isResource := strings.CutPrefix(o, "-l ")
		name, value, _ := strings.Cut(request, "=")
		if !isResource {
			rest = append(rest, wordsOf(o))
			continue
		}
		if _, asked := resources[name]; !asked {
			order = append(order, name)
		}
		resources[name], altered = value, true
	}
	if !altered {
		return strings.Join(rest, " ")
	}
	var list []string
	for _, name := range order {
		list = append(list, name+"="+resources[name])
	}
	return strings.Join(append([]string{"-l " + cli.ShellWord(strings.Join(list, ","))}, rest...), " ")
}

// wordsOf quotes the words of an option for a shell.
func wordsOf(option string) string {
	words := strings.Fields(option)
	for i := range words {
		words[i] = cli.ShellWord(words[i])
	}
	return strings.Join(words, " ")
}

// adviseNeverPBS is the same of PBS.
func adviseNeverPBS(id string, a *batch.Chance) string {
	for i := range a.Blames {
		b := &a.Blames[i]
		if len(b.Nearest) == 0 || a.All && len(a.Blames) > 1 {
			continue
		}
		if queue, isQueue := strings.CutPrefix(b.Nearest[0], "-q "); isQueue {
			return fmt.Sprintf("qmove %s %s puts it where it fits", cli.ShellWord(queue), cli.ShellWord(id))
		}
		return fmt.Sprintf("qalter %s %s lets it run once there is room", wordsOf(b.Nearest[0]), cli.ShellWord(id))
	}
	return fmt.Sprintf("qdel %s, and submit it again with less", cli.ShellWord(id))
}
