package next

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"qprism/cmd/qprism/queue"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/cmd/qprism/words"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

// printPlan prints the decisions in the order in which they are taken. People get the tasks of an array
// that start together in one line, and no more lines than they read; programs get everything.
func printPlan(out show.Output, s *subject.Subject, at lastrun.Moment, p *model.Plan, all bool) error {
	if !out.People() {
		return out.Sheet(planSheet(out, s, p))
	}
	subject.PrintHeader(out, s, at.At, at.Source)
	t, hidden := peopleSheet(out, s, p, all)
	out.Sheet(t)
	out.More(hidden)
	out.Say("%s", tallyText(s.Batch.Words(), p))
	for _, note := range slices.Concat(p.Notes, pastNotes(p, s.Rules)) {
		out.Say("Note: %s", show.Printable(note))
	}
	if faults := queue.FaultsWords(s, at.At); faults != "" {
		out.Say("%s", faults)
	}
	out.Say("Next: %s", afterPlan(s, p))
	return nil
}

// planSheet has a row for each decision.
func planSheet(out show.Output, s *subject.Subject, p *model.Plan) show.Sheet {
	t := show.NewSheet(">job", ">task", "owner", "verdict", "start", "for", ">slots", "where", "why")
	jobs, why := s.Snapshot.JobsByNumber(), WaitText(s, p)
	for i := range p.Decisions {
		d := &p.Decisions[i]
		t.Add(subject.JobText(d), model.TaskText(d.Tasks), ownerOf(jobs, d.Job), string(d.Verdict),
			startText(out, d), lengthText(d), slotsText(d.Slots), whereText(d), why(d))
	}
	s.Batch.Words().Adapt(&t)
	return t
}

func ownerOf(jobs map[uint32]*model.Job, number uint32) string {
	if j := jobs[number]; j != nil {
		return j.Owner
	}
	return ""
}

// peopleSheet has a line for each decision with the facts that people need, in the width of the terminal.
// hidden says what is left out.
func peopleSheet(out show.Output, s *subject.Subject, p *model.Plan, all bool) (t show.Sheet, hidden string) {
	t = show.NewSheet(">job", ">task", "owner", "verdict", "start", ">for", ">slots", "where, or why not")
	jobs, why := s.Snapshot.JobsByNumber(), WaitText(s, p)
	lines, left := map[model.Verdict]int{}, map[model.Verdict]int{}
	for _, d := range joinTasks(p.Decisions) {
		if lines[d.Verdict]++; lines[d.Verdict] > show.ManyLines && !all {
			left[d.Verdict]++
			continue
		}
		start := ""
		switch d.Verdict {
		case model.Now:
			start = "now"
		case model.Later:
			start = out.Short(d.Start, p.RunAt)
		}
		text := show.Joined("; ", whereText(&d), why(&d))
		t.Add(subject.JobText(&d), model.TaskText(d.Tasks), ownerOf(jobs, d.Job), string(d.Verdict),
			start, lengthText(&d), slotsText(d.Slots), text)
	}
	s.Batch.Words().Adapt(&t)
	return t, leftText(left)
}

// leftText says how many lines of each verdict are left out.
func leftText(left map[model.Verdict]int) string {
	var parts []string
	for _, v := range []struct {
		verdict model.Verdict
		words   string
	}{{model.Now, "that start"}, {model.Later, "with a reservation"}, {model.Never, "that wait"}} {
		if n := left[v.verdict]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d more %s", n, v.words))
		}
	}
	return strings.Join(parts, ", ")
}

// joinTasks joins decisions that follow one another about tasks of one job that start together for equally long.
func joinTasks(decisions []model.Decision) []model.Decision {
	var list []model.Decision
	for _, d := range decisions {
		if n := len(list) - 1; n >= 0 && d.Verdict == model.Now && alike(&list[n], &d) {
			list[n] = together(&list[n], &d)
			continue
		}
		list = append(list, d)
	}
	return list
}

func alike(a, b *model.Decision) bool {
	return a.Job == b.Job && a.Verdict == b.Verdict && a.Start.Equal(b.Start) && a.Duration == b.Duration && a.PE == b.PE
}

// together is one decision about the tasks of two. Which instances were as good is left out: they differ
// from task to task.
func together(a, b *model.Decision) model.Decision {
	d := *a
	d.Tied = nil
	d.ID = model.PBSArrayOf(d.ID)
	d.Tasks = slices.Clone(a.Tasks)
	if last := &d.Tasks[len(d.Tasks)-1]; len(b.Tasks) == 1 && b.Tasks[0].Min == last.Max+1 && last.Step <= 1 {
		last.Max, last.Step = b.Tasks[0].Max, 1
	} else {
		d.Tasks = append(d.Tasks, b.Tasks...)
	}
	d.Slots = slices.Clone(a.Slots)
	for _, g := range b.Slots {
		if k := slices.IndexFunc(d.Slots, func(h model.Grant) bool { return h.Instance == g.Instance }); k >= 0 {
			d.Slots[k].Slots += g.Slots
		} else {
			d.Slots = append(d.Slots, g)
		}
	}
	return d
}

// tallyText counts the verdicts, and names preempted jobs.
func tallyText(w *words.System, p *model.Plan) string {
	type job struct {
		number uint32
		id     string
	}
	starts, reserved, waiting := 0, 0, map[job]bool{}
	for i := range p.Decisions {
		switch d := &p.Decisions[i]; d.Verdict {
		case model.Now:
			starts++
		case model.Later:
			reserved++
		case model.Never:
			waiting[job{d.Job, d.ID}] = true
		}
	}
	text := fmt.Sprintf(w.Tally, starts, reserved, len(waiting))
	for _, v := range p.Preempted {
		text += fmt.Sprintf("\nJob %s is preempted by %s for %s.", v.ID, v.Method, v.For)
	}
	return text
}

// pastNotes explains reservations for times that are over.
func pastNotes(p *model.Plan, rules string) []string {
	for i := range p.Decisions {
		if d := &p.Decisions[i]; d.Verdict == model.Later && d.Start.Before(p.RunAt.Truncate(time.Second)) {
			return []string{fmt.Sprintf("the reservation of job %d is at a past time, so the scheduler keeps no slots "+
				"free for job %d. This is a fault of release %s; \"qprism releases %s\" explains it (D1, "+
				"D2). With \"--quirks fixed\", qprism plans without the fault", d.Job, d.Job, rules, rules)}
		}
	}
	return nil
}

// afterPlan is the command that helps on, with a job for which it does: the first that waits.
func afterPlan(s *subject.Subject, p *model.Plan) string {
	for _, v := range []model.Verdict{model.Later, model.Never} {
		if k := slices.IndexFunc(p.Decisions, func(d model.Decision) bool { return d.Verdict == v }); k >= 0 {
			job := subject.JobText(&p.Decisions[k])
			return show.Step("see why job "+job+" does not start", s.Command("why", job)) + "\nOr: " +
				show.Step("predict when each job starts", s.Command("forecast"))
		}
	}
	return show.Step("draw it", s.Command("plan", "--format", "svg"))
}
