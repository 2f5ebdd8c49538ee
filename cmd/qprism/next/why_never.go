package next

import (
	"fmt"
	"slices"
	"strings"

	"qprism/cmd/qprism/cli"
	"qprism/engine/batch"
	"qprism/engine/blame"
	"qprism/engine/model"
)

// adviseNever returns the command that makes a job able to run: qalter with a request that fits, or another
// way.
func adviseNever(j *model.Job, a *batch.Chance) string {
	if len(a.Blames) > 0 && a.Blames[0].Kind == batch.Quota {
		return "\"qquota\" and \"qconf -srqs\" show the quotas; \"qdel " + numberText(j) + "\" removes it"
	}
	if len(a.Blames) > 0 && a.Blames[0].Kind == batch.Access {
		return "\"qconf -sq QUEUE\" shows who may use a queue; \"qdel " + numberText(j) + "\" removes it"
	}
	var options []string
	for i := range a.Blames {
		b := &a.Blames[i]
		if len(b.Nearest) > 0 && (a.All || len(options) == 0) {
			options = append(options, b.Nearest[0])
		}
	}
	if len(options) == 0 || a.All && len(options) < len(a.Blames) {
		return "\"qdel " + numberText(j) + "\" removes it; submit it again without the request that no host can meet"
	}
	return "\"qalter " + alterations(j, options) + " " + numberText(j) + "\" lets it run when enough is free"
}

func numberText(j *model.Job) string { return fmt.Sprint(j.Number) }

// alterations are options of qalter. It replaces the whole list of resources, so that -l has the others too.
func alterations(j *model.Job, options []string) string {
	var rest, lists []string
	changes := map[model.TaskScope][]string{}
	for _, o := range options {
		scope, request, isResource := resourceOption(o)
		if isResource {
			changes[scope] = append(changes[scope], request)
		} else {
			rest = append(rest, wordsOf(o))
		}
	}
	for _, scope := range []model.TaskScope{"", model.ScopeMaster, model.ScopeSlave} {
		if len(changes[scope]) > 0 {
			lists = append(lists, scopeOption(scope)+"-l "+cli.ShellWord(altered(*blame.Requests(j, scope), changes[scope])))
		}
	}
	for _, list := range lists { // options after -scope belong to this scope
		if strings.HasPrefix(list, "-scope") {
			rest = append(rest, list)
		} else {
			rest = append([]string{list}, rest...)
		}
	}
	return strings.Join(rest, " ")
}

// altered is a list of resources after changes.
func altered(list []model.Request, changes []string) string {
	var texts []string
	for _, r := range list {
		texts = append(texts, r.Resource+"="+r.Value)
	}
	for _, c := range changes {
		name, _, _ := strings.Cut(c, "=")
		at := slices.IndexFunc(texts, func(text string) bool { return strings.HasPrefix(text, name+"=") })
		if at < 0 {
			texts = append(texts, c)
		} else {
			texts[at] = c
		}
	}
	return strings.Join(texts, ",")
}

// resourceOption takes "-scope master -l gpu=1" apart.
func resourceOption(option string) (scope model.TaskScope, request string, ok bool) {
	for _, s := range []model.TaskScope{"", model.ScopeMaster, model.ScopeSlave} {
		if request, ok = strings.CutPrefix(option, scopeOption(s)+"-l "); ok {
			return s, request, true
		}
	}
	return "", "", false
}

func scopeOption(scope model.TaskScope) string {
	if scope == "" {
		return ""
	}
	return "-scope " + string(scope) + " "
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
			return fmt.Sprintf("\"qmove %s %s\" moves it to a queue where it fits", cli.ShellWord(queue), cli.ShellWord(id))
		}
		return fmt.Sprintf("\"qalter %s %s\" lets it run when enough is free", wordsOf(b.Nearest[0]), cli.ShellWord(id))
	}
	return fmt.Sprintf("\"qdel %s\" removes it; submit it again with a smaller request", cli.ShellWord(id))
}
