package pbs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/exporter"
)

// accepted is the master's agreement in words. Its commands print nothing when they succeed.
const accepted = "accepted"

// answers reads the output of a command. It has a line for each refused job, which ends with the job's id.
func answers(c exporter.Command, orders []model.Order, r exporter.Result) []exporter.Answer {
	list := make([]exporter.Answer, len(c.Orders))
	lines := exporter.Lines(r.Text())
	for i, k := range c.Orders {
		list[i] = answer(c.Args[0], orders[k].Job, lines, r.Exit)
	}
	return list
}

// answer returns the answer about a job from the output and the exit status.
func answer(name, job string, lines []string, exit int) exporter.Answer {
	if exit == 0 {
		return exporter.Answer{Known: true, Words: accepted}
	}
	about := false // a line names a job
	for _, line := range lines {
		text, ours := strings.CutPrefix(line, name+": ")
		if !ours {
			continue
		}
		if strings.HasPrefix(text, "cannot connect to server") {
			return exporter.Answer{}
		}
		if names(text, job) {
			return refusal(text)
		}
		about = about || namesAny(text)
	}
	if about { // the command refused other jobs
		return exporter.Answer{Known: true, Words: accepted}
	}
	if len(lines) == 0 {
		return exporter.Answer{}
	}
	return refusal(strings.TrimPrefix(lines[0], name+": "))
}

// overtaken are beginnings of the server's answers about jobs that are unknown, in another state, or already
// running.
var overtaken = []string{"Unknown Job Id", "Request invalid for state of job",
	"Cannot modify attribute while job running"}

// refusal makes an answer that refuses an order.
func refusal(text string) exporter.Answer {
	gone := slices.ContainsFunc(overtaken, func(reason string) bool { return strings.HasPrefix(text, reason) })
	return exporter.Answer{Known: true, Refused: true, Gone: gone, Words: text}
}

// names reports whether a line names a job. The words "Unauthorized Request 901.pbsvm or 904.pbsvm" name two.
// The server adds its name to a number.
func names(text, job string) bool {
	return slices.ContainsFunc(strings.Fields(text), func(word string) bool {
		return word == job || strings.HasPrefix(word, job+".") && !strings.Contains(job, ".")
	})
}

// namesAny reports whether a line ends with the id of a job.
func namesAny(text string) bool {
	words := strings.Fields(text)
	if len(words) == 0 {
		return false
	}
	number, server, ok := strings.Cut(words[len(words)-1], ".")
	return ok && server != "" && number != "" && strings.Trim(number, "0123456789[]") == ""
}

// rights returns the rights that are missing to be a manager or operator, or a manager. The server's lists have
// user@host, with * for any host. Root on the server's host always has all rights.
func rights(ctx context.Context, r exporter.Runner, roles ...string) (missing string, err error) {
	what := strings.Join(roles, "")
	if len(roles) == 0 {
		roles, what = []string{"managers", "operators"}, "operators"
	}
	commands := [][]string{{"id", "-un"}}
	for _, role := range roles {
		commands = append(commands, []string{"qmgr", "-c", "list server " + role})
	}
	results, err := exporter.Ask(ctx, r, commands...)
	if err != nil {
		return "", err
	}
	user := strings.TrimSpace(results[0].Out)
	var lists string
	for _, list := range results[1:] {
		lists += list.Out + "\n"
	}
	if user == "root" || slices.Contains(listedUsers(lists), user) {
		return "", nil
	}
	is := "not a manager or operator of the server"
	if len(roles) == 1 {
		is = "not a manager of the server, and only managers can see the places of jobs (queue_rank)"
	}
	return fmt.Sprintf("%s is %s; as a manager: qmgr -c \"set server %s += %s@*\"", user, is, what, user), nil
}

// listedUsers returns the users in the attributes managers and operators, without their hosts.
func listedUsers(text string) (users []string) {
	for _, line := range exporter.Lines(text) {
		name, value, ok := strings.Cut(line, " = ")
		if !ok || name != "managers" && name != "operators" {
			continue
		}
		for entry := range strings.SplitSeq(value, ",") {
			user, _, _ := strings.Cut(strings.TrimSpace(entry), "@")
			users = append(users, user)
		}
	}
	return users
}
