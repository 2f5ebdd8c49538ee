package trial

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/intend"
)

// An intendReport is the result for sentences.
type intendReport struct {
	s        *subject.Subject
	at       lastrun.Moment
	verdicts []intend.Verdict
	solution *intend.Solution // nil if there was no search
}

func (r *intendReport) fails() bool {
	return slices.ContainsFunc(r.verdicts, func(v intend.Verdict) bool { return v.Answer == intend.Fails })
}

// unordered reports whether a sentence about the order of jobs is not true.
func (r *intendReport) unordered() bool {
	return slices.ContainsFunc(r.verdicts, func(v intend.Verdict) bool {
		return v.Answer == intend.Fails && (v.Kind == intend.Worth || v.Kind == intend.Before || v.Kind == intend.Within ||
			v.Kind == intend.Policies)
	})
}

// sheet has a row for each sentence.
func (r *intendReport) sheet() show.Sheet {
	t := show.NewSheet("sentence", "verdict", "because", ">jobs")
	for i := range r.verdicts {
		v := &r.verdicts[i]
		jobs := ""
		if v.Against != nil {
			jobs = strconv.Itoa(len(v.Against.Jobs))
		}
		t.Add(v.Text, string(v.Answer), v.Why, jobs)
	}
	return t
}

// print says it to people.
func (r *intendReport) print(out show.Output) {
	out.Terminal = true
	subject.PrintHeader(out, r.s, r.at.At, r.at.Source)
	for i := range r.verdicts {
		r.printVerdict(out, i+1, &r.verdicts[i])
	}
	for _, line := range r.solutionWords() {
		show.Answer(out, "", show.Printable(line))
	}
	if r.solution != nil && r.solution.Found {
		r.printNext(out)
	}
}

// printVerdict prints a sentence, whether it is true, and what breaks it.
func (r *intendReport) printVerdict(out show.Output, number int, v *intend.Verdict) {
	show.Answer(out, "", show.Printable(fmt.Sprintf("%d. %s: %s", number, v.Text, v.Answer)))
	show.Answer(out, "", "   "+show.Printable(v.Why+"."))
	if c := v.Against; c != nil && c.First != nil {
		show.Answer(out, "", "   "+show.Printable(against(c, v)))
		for _, line := range jobLines(c) {
			out.Say("     %s", show.Printable(line))
		}
	}
	out.Say("")
}

// against says which two jobs have the other order, and in which set.
func against(c *intend.Counterexample, v *intend.Verdict) string {
	text := fmt.Sprintf("Job %d of %s comes before job %d of %s", c.First.Number, c.First.Owner,
		c.Behind.Number, c.Behind.Owner)
	if v.Kind == intend.Passed {
		return text + "."
	}
	switch {
	case c.Prio == [2]float64{}:
	case c.Prio[0] == c.Prio[1]:
		text += ", with the same prio"
	default:
		digits := 5 // as qstat prints them
		if fmt.Sprintf("%.5f", c.Prio[0]) == fmt.Sprintf("%.5f", c.Prio[1]) {
			digits = 9
		}
		text += fmt.Sprintf(", by prio %.*f against %.*f", digits, c.Prio[0], digits, c.Prio[1])
	}
	if len(c.Jobs) > mostLines {
		return fmt.Sprintf("%s. This needs a set of %d jobs.", text, len(c.Jobs))
	}
	text += fmt.Sprintf(". Example with only %d jobs", len(c.Jobs))
	if c.Fewest {
		return text + " (fewer do not break the sentence):"
	}
	return text + " (all are needed to break the sentence):"
}

// mostLines is how many jobs of a set are listed.
const mostLines = 200

// jobLines are the jobs of a counterexample as lines of a lab, those that are alike and follow one another in one.
func jobLines(c *intend.Counterexample) (lines []string) {
	if len(c.Jobs) > mostLines || len(c.Jobs) == 0 {
		return nil
	}
	first, all := 0, intend.Lines(c.Jobs)
	for i, line := range all {
		if i+1 < len(all) && all[i+1] == line {
			continue
		}
		number := fmt.Sprint(c.Jobs[i].Number)
		line = dayOf(line)
		if i > first {
			number = fmt.Sprintf("%d to %s", c.Jobs[first].Number, number)
		}
		lines, first = append(lines, number+": "+line), i+1
	}
	return lines
}

// dayOf writes a lab's time after midnight as people do: 32:06:45 is 08:06:45 of the next day.
func dayOf(line string) string {
	clock, rest, _ := strings.Cut(line, " ")
	hours, minutes, _ := strings.Cut(clock, ":")
	switch h, err := strconv.Atoi(hours); {
	case err != nil || h < 24:
		return line
	case h < 48:
		return fmt.Sprintf("next day %02d:%s %s", h-24, minutes, rest)
	default:
		return fmt.Sprintf("day %d %02d:%s %s", h/24+1, h%24, minutes, rest)
	}
}

// solutionWords says with which policy all sentences about the order are true, or what prevents it.
func (r *intendReport) solutionWords() []string {
	s := r.solution
	switch {
	case s == nil:
		return nil
	case !s.Found:
		return []string{r.unsolved()}
	}
	var changes []string
	for _, c := range s.Changes {
		changes = append(changes, c.String())
	}
	lines := []string{fmt.Sprintf("All sentences about the order of jobs hold with %s. qprism "+
		"recomputed this for the jobs of the bundle and for invented jobs.",
		strings.Join(changes, ", "))}
	for i, v := range s.Verdicts {
		if v.Answer != r.verdicts[i].Answer && v.Answer == intend.Fails {
			lines = append(lines, fmt.Sprintf("But then sentence %d does not hold: %s.", i+1, v.Why))
		}
	}
	return lines
}

// printNext prints the commands that try the found policy and that set it.
func (r *intendReport) printNext(out show.Output) {
	flags, o := []string{}, WhatIfOptions{}
	for _, c := range r.solution.Changes {
		flag, value := c.Flag()
		flags = append(flags, "--"+flag, value)
		switch flag {
		case "set":
			o.Set = append(o.Set, value)
		case "shares":
			o.Shares = append(o.Shares, value)
		default:
			o.Complex = append(o.Complex, value)
		}
	}
	out.Say("Next: %s", show.Step("see who gains and who loses", r.s.Command("what-if", flags...)))
	if commands := r.makes(&o); len(commands) > 0 {
		out.Say("Or: %s", show.Step("change the policy of the cluster", strings.Join(commands, " && ")))
	}
	if len(o.Shares) > 0 && !r.s.TakesQconf() {
		out.Say("Or: change the numbers in sched_priv/resource_group, then send SIGHUP to the scheduler.")
	}
}

// makes are the commands that make changes; none for shares of PBS, which are in a file.
func (r *intendReport) makes(o *WhatIfOptions) (list []string) {
	if r.s.TakesQconf() {
		return o.Commands()
	}
	for _, set := range o.Set {
		_, formula, _ := strings.Cut(set, "=")
		list = append(list, "qmgr -c "+cli.ShellWord("set server job_sort_formula = \""+formula+"\""))
	}
	return list
}

// unsolved says why no policy that was tried keeps all sentences.
func (r *intendReport) unsolved() string {
	s, text := r.solution, ""
	switch {
	case s.Tried == 1:
		return "There is nothing to change: no term of a job_sort_formula and no node of the fairshare " +
			"tree matches the sentences."
	case len(s.Never) > 0:
		var names []string
		for _, i := range s.Never {
			names = append(names, strconv.Itoa(i+1))
		}
		text = fmt.Sprintf("qprism tried %d policies (weights, urgencies, shares): none keeps sentence "+
			"%s, not even that sentence alone", s.Tried,
			strings.Join(names, " nor "))
	case s.Exclude[0] != s.Exclude[1]:
		text = fmt.Sprintf("Sentences %d and %d exclude each other: qprism tried %d policies; some keep "+
			"one of them, none keeps both", s.Exclude[0]+1,
			s.Exclude[1]+1, s.Tried)
	default:
		text = fmt.Sprintf("qprism tried %d policies: none keeps all sentences, but each pair of "+
			"sentences can be kept", s.Tried)
	}
	if s.Bounded {
		text += "; the search stopped early"
	}
	return text + "."
}

// jsonIntend is what is found of sentences, in JSON.
type jsonIntend struct {
	Cluster    string          `json:"cluster"`
	Release    string          `json:"release"`
	Rules      string          `json:"quirks"`
	At         time.Time       `json:"run_at"`
	Intentions []jsonIntention `json:"intentions"`
	Solution   *jsonSolution   `json:"solution"` // null where none was looked for
}

// jsonIntention is a sentence and whether it holds.
type jsonIntention struct {
	Sentence string       `json:"sentence"`
	Kind     intend.Kind  `json:"kind"`
	Verdict  string       `json:"verdict"`
	Because  string       `json:"because"`
	Pairs    int          `json:"pairs"`   // pairs of waiting jobs in the bundle to which it applies
	Broken   int          `json:"broken"`  // pairs in the opposite order
	Against  *jsonAgainst `json:"against"` // null where no set of jobs breaks it
}

// jsonAgainst is a set of jobs that breaks a sentence.
type jsonAgainst struct {
	Made   bool     `json:"made_up"`
	Fewest bool     `json:"fewest"` // no set of fewer jobs breaks it; else none of these can be left out
	First  uint32   `json:"first,omitempty"`
	Behind uint32   `json:"behind"` // the job that should come before it
	Jobs   []string `json:"jobs"`   // as lines of a lab
}

// jsonSolution is a policy that keeps all sentences about the order of jobs.
type jsonSolution struct {
	Found   bool            `json:"found"`
	Changes []intend.Change `json:"changes"`
	Never   []int           `json:"never"`   // sentences, from 1, that no tried policy keeps
	Exclude []int           `json:"exclude"` // two sentences, from 1, that no tried policy keeps together
	Tried   int             `json:"tried"`   // policies
	Bounded bool            `json:"bounded"` // the search was cut short
}

func (r *intendReport) json() jsonIntend {
	j := jsonIntend{Cluster: r.s.Cluster, Release: r.s.Release.String(),
		Rules: subject.RulesName(r.s.Snapshot, r.s.Rules), At: r.at.At,
		Intentions: []jsonIntention{}}
	for i := range r.verdicts {
		v := &r.verdicts[i]
		one := jsonIntention{Sentence: v.Text, Kind: v.Kind, Verdict: string(v.Answer), Because: v.Why,
			Pairs: v.Pairs, Broken: v.Broken}
		if c := v.Against; c != nil {
			one.Against = &jsonAgainst{Made: c.Made, Fewest: c.Fewest, Behind: c.Behind.Number, Jobs: intend.Lines(c.Jobs)}
			if c.First != nil {
				one.Against.First = c.First.Number
			}
		}
		j.Intentions = append(j.Intentions, one)
	}
	if s := r.solution; s != nil {
		j.Solution = &jsonSolution{Found: s.Found, Changes: append([]intend.Change{}, s.Changes...), Never: []int{},
			Exclude: []int{}, Tried: s.Tried, Bounded: s.Bounded}
		for _, i := range s.Never {
			j.Solution.Never = append(j.Solution.Never, i+1)
		}
		if s.Exclude[0] != s.Exclude[1] {
			j.Solution.Exclude = []int{s.Exclude[0] + 1, s.Exclude[1] + 1}
		}
	}
	return j
}
