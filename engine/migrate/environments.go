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
	at := func(key string) place { return place{kind: "pe", object: p.Name, key: key} }
	t.tell(at("allocation_rule"), ruleName(p.AllocationRule), "{n}", p.AllocationRule)
	slots := strconv.Itoa(p.Slots)
	if p.Slots >= total {
		t.tell(at("slots"), "enough", "{n}", slots, "{all}", strconv.Itoa(total))
		return
	}
	name := t.newResourceName("pe_" + p.Name)
	t.addResource(model.Resource{Name: name, Type: model.TypePBSLong, Flags: "q"})
	t.setServer("resources_available."+name, slots)
	t.made.peSlots[p.Name] = name
	t.tell(at("slots"), "counted", "{resource}", name, "{n}", slots)
}

// ruleName is an allocation rule as the table names it.
func ruleName(rule string) string {
	if n, err := strconv.Atoi(rule); err == nil && n > 0 {
		return "number"
	}
	if rule == "$pe_slots" || rule == "$fill_up" || rule == "$round_robin" {
		return rule
	}
	return "other"
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
			t.tell(ofQueue(q, "calendar"), "none")
		case len(a.Overrides) > 0:
			t.tell(ofQueue(q, "calendar"), "of_hosts")
		default:
			t.tell(ofQueue(q, "calendar"), "set", "{queue}", t.queueName(q.Name), "{calendar}", a.Default)
		}
	}
}

func (t *Translation) calendar(c *model.Calendar, queues []string) {
	at := func(key string) place { return place{kind: "calendar", object: c.Name, key: key} }
	if len(queues) == 0 {
		for _, key := range []string{"calendar_name", "year", "week"} {
			t.tell(at(key), "unused")
		}
		return
	}
	t.tell(at("calendar_name"), "set", "{queues}", strings.Join(queues, " "))
	if len(c.Year) == 0 {
		t.tell(at("year"), "none")
	} else {
		t.tell(at("year"), "set")
	}
	steps, whole := weekSteps(c)
	switch {
	case len(c.Week) == 0:
		t.tell(at("week"), "none")
	case !whole:
		t.tell(at("week"), "suspended")
	default:
		t.tell(at("week"), "set")
		t.switches(c.Name, queues, steps)
	}
}

// switches are the steps that stop and start queues.
func (t *Translation) switches(calendar string, queues []string, steps []Step) {
	for _, q := range queues {
		for _, s := range steps {
			command := fmt.Sprintf(`qmgr -c "set queue %s started=%s"`, q, s.Command)
			what := "Calendar " + calendar + ": queue " + q
			t.Steps = append(t.Steps, Step{What: what, Command: command, Cron: s.Cron})
		}
	}
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
