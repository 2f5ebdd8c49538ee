package migrate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qprism/engine/model"
)

// translatePEs says how jobs of each parallel environment are submitted. Its slots are counted by a
// resource of its own where there are fewer than the cluster has.
func translatePEs(t *Translation) {
	total := 0
	for _, n := range t.To.Hosts {
		cpus, _ := strconv.Atoi(n.Capacity[0].Value)
		total += cpus
	}
	for i := range t.From.PEs {
		t.pe(&t.From.PEs[i], total)
	}
}

func (t *Translation) pe(p *model.PE, total int) {
	say := func(key string, v Verdict, into, note string) {
		t.say(place{kind: "pe", object: p.Name, key: key}, v, into, note)
	}
	verdict, into, note := advice(p.AllocationRule)
	say("allocation_rule", verdict, into, note)
	switch {
	case p.Slots >= total:
		say("slots", NoEffect, "", fmt.Sprintf("%d slots are no fewer than the cluster's %d", p.Slots, total))
	default:
		name := t.coin("pe_" + p.Name)
		t.addResource(model.Resource{Name: name, Type: model.TypePBSLong, Flags: "q"})
		t.setServer("resources_available."+name, strconv.Itoa(p.Slots))
		t.made.peSlots[p.Name] = name
		say("slots", Approximate, fmt.Sprintf("set server resources_available.%s = %d", name, p.Slots),
			"holds for jobs that ask for it: qsub -l "+name+"=SLOTS")
	}
}

// advice says how a job of an allocation rule is submitted.
func advice(rule string) (v Verdict, into, note string) {
	switch n, err := strconv.Atoi(rule); {
	case rule == "$pe_slots":
		return Exact, "qsub -l select=1:ncpus=N", ""
	case rule == "$fill_up":
		return Approximate, "qsub -l select=N:ncpus=1 -l place=free", "nodes are filled in the order of node_sort_key"
	case rule == "$round_robin":
		return Approximate, "qsub -l select=N:ncpus=1 -l place=scatter",
			"one slot a node, while there are as many nodes as slots; larger jobs place=free"
	case err == nil && n > 0:
		return Exact, fmt.Sprintf("qsub -l select=M:ncpus=%d:mpiprocs=%d -l place=scatter", n, n), ""
	}
	return NoRule, "", "nothing handles this allocation rule"
}

// translateCalendars makes steps of calendars: cron stops and starts their queues.
func translateCalendars(t *Translation) {
	for i := range t.From.Calendars {
		c := &t.From.Calendars[i]
		var queues []string
		for _, inst := range t.From.Instances {
			if inst.Calendar == c.Name {
				queues = appendNew(queues, t.queueName(inst.Queue))
			}
		}
		t.calendar(c, queues)
	}
	for i := range t.From.Queues {
		q := &t.From.Queues[i]
		a, ok := attributeOf(q, "calendar")
		switch {
		case !ok:
		case strings.EqualFold(a.Default, "none") && len(a.Overrides) == 0:
			t.sayQueue(q, "calendar", NoEffect, "", "none")
		case len(a.Overrides) > 0:
			t.sayQueue(q, "calendar", Lost, "", "of single hosts: a queue starts and stops as a whole")
		default:
			t.sayQueue(q, "calendar", Approximate, "cron: set queue "+t.queueName(q.Name)+" started", "as calendar "+a.Default)
		}
	}
}

func (t *Translation) calendar(c *model.Calendar, queues []string) {
	say := func(key string, v Verdict, into, note string) {
		t.say(place{kind: "calendar", object: c.Name, key: key}, v, into, note)
	}
	if len(queues) == 0 {
		for _, key := range []string{"calendar_name", "year", "week"} {
			say(key, NoEffect, "", "no queue has it")
		}
		return
	}
	say("calendar_name", Exact, "cron lines for "+strings.Join(queues, " "), "")
	if len(c.Year) == 0 {
		say("year", NoEffect, "", "no days")
	} else {
		say("year", Lost, "", "days of one year: dedicated_time for all queues together, or qmgr -c "+
			"\"set queue Q started=False\" through at(1)")
	}
	if len(c.Week) == 0 {
		say("week", NoEffect, "", "always on")
		return
	}
	steps, whole := weekSteps(c)
	if !whole {
		say("week", Lost, "", "switches suspend queues, or back on inside a time that is off: write cron lines by hand")
		return
	}
	for _, q := range queues {
		for _, s := range steps {
			command := fmt.Sprintf(`qmgr -c "set queue %s started=%s"`, q, s.Command)
			t.Steps = append(t.Steps, Step{What: "Calendar " + c.Name + ": queue " + q, Command: command, Cron: s.Cron})
		}
	}
	say("week", Approximate, "cron lines",
		"starts stop and go on at the minute; the scheduler does not see it coming, and jobs run into the time that is off")
}

// weekSteps are cron's times of a calendar's week, with "True" and "False" for commands; whole says that
// they are all of it.
func weekSteps(c *model.Calendar) (steps []Step, whole bool) {
	for _, e := range c.Week {
		if e.State != "off" {
			return nil, false
		}
		days := "*"
		if len(e.Days) > 0 {
			var list []string
			for _, d := range e.Days {
				list = append(list, fmt.Sprintf("%d-%d", d.From, d.To))
			}
			days = strings.Join(list, ",")
		}
		times := e.Times
		if len(times) == 0 {
			times = []model.Daytime{{To: 24 * 60 * 60 * 1e9}}
		}
		for _, d := range times {
			steps = append(steps, Step{Cron: cronTime(d.From, days), Command: "False"},
				Step{Cron: cronTime(d.To, days), Command: "True"})
		}
	}
	slices.SortStableFunc(steps, func(a, b Step) int { return strings.Compare(a.Cron, b.Cron) })
	return steps, true
}

// cronTime is a time of day as cron writes it; midnight at the end of a day is its last minute.
func cronTime(at model.Clock, days string) string {
	minutes := min(int(at.Minutes()), 24*60-1)
	return fmt.Sprintf("%d %d * * %s", minutes%60, minutes/60, days)
}
