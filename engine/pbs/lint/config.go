package lint

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"qprism/engine/lint"
	"qprism/engine/model"
	"qprism/engine/model/schedconfig"
	"qprism/engine/pbs/criteria"
)

// turnedOff is what turns an option of sched_config off, nil for one that is not on or off.
func turnedOff(name string) func(*model.Snapshot) {
	o := schedconfig.Find(name)
	switch {
	case o == nil:
		return nil
	case o.Switch != nil:
		return func(s *model.Snapshot) { both(s, func(p *model.CyclePolicy) { *o.Switch(p) = false }) }
	case o.Always != nil:
		return func(s *model.Snapshot) {
			x := schedconfig.Reading{Config: s.PBS.SchedConfig, Fairshare: s.PBS.Fairshare.Policy}
			o.Always(&x, false)
			s.PBS.SchedConfig, s.PBS.Fairshare.Policy = x.Config, x.Fairshare
		}
	}
	return nil
}

// configWords finds lines of sched_config that do something else than they say.
func configWords(l *pbsLinter) (traps []lint.Trap) {
	for _, line := range l.config.Lines {
		off := turnedOff(line.Name)
		switch {
		case line.Used && off != nil && !plain(line.Value):
			traps = append(traps, l.wordTrap(line, off))
		case line.Error != "" && line.Used:
			traps = append(traps, l.lineTrap(line, "line-counts-all-the-same",
				fmt.Sprintf("the scheduler logs an error about %s (%s) but still uses it",
					line.Name, line.Error), l.countsAs(line)))
		case line.Error != "":
			traps = append(traps, l.lineTrap(line, "line-ignored",
				fmt.Sprintf("the scheduler ignores the line %s: %s", line.Name, line.Error),
				l.meant(line)))
		// as of help_starving_jobs, which plans note
		case line.Old && !line.Used && schedconfig.Find(line.Name).ObeyedBy(l.Release):
		case line.Old && !line.Used:
			traps = append(traps, l.lineTrap(line, "option-obsolete",
				fmt.Sprintf("%s in sched_config does nothing any more: PBS removed it or made it an attribute that qmgr sets",
					line.Name), l.insteadOf(line.Name)))
		}
	}
	return traps
}

// plain says whether a word switches as it reads: true and false, numbers, and words that mean on, as all words do.
func plain(value string) bool {
	return slices.Contains([]string{"true", "false", "yes", "y", "on", "t"}, strings.ToLower(value)) ||
		value != "" && '0' <= value[0] && value[0] <= '9'
}

// wordTrap is about a word that is neither true nor false, and so true (quirk P11).
func (l *pbsLinter) wordTrap(line model.SchedLine, off func(*model.Snapshot)) lint.Trap {
	return lint.Trap{
		Name:   "word-switches-on",
		What:   fmt.Sprintf("%s is on: every word except false switches an option on, even %q", line.Name, line.Value),
		Place:  lint.Place{File: l.source("sched_config"), Line: line.Line, Text: lineText(line)},
		Effect: l.mended(off),
		Fix:    []string{l.setOption(line.Name, strings.TrimSpace("False "+line.Prime))},
	}
}

func (l *pbsLinter) lineTrap(line model.SchedLine, name, what, effect string) lint.Trap {
	return lint.Trap{Name: name, What: what, Place: lint.Place{File: l.source("sched_config"),
		Line: line.Line, Text: lineText(line)}, Effect: effect,
		Fix: []string{fmt.Sprintf("sed -i '%ds/^/#/' %s/sched_config", line.Line, l.schedPriv()) + again}}
}

// countsAs is what a line with an error is taken for.
func (l *pbsLinter) countsAs(line model.SchedLine) string {
	f := l.pbs.Fairshare.Policy
	switch {
	case line.Name == "fairshare_decay_time" || line.Name == "half_life":
		return "usage decays every " + lint.Lasting(f.DecayTime)
	case line.Name == "fairshare_entity":
		return fmt.Sprintf("the scheduler charges jobs to %s", f.Entity)
	case strings.HasPrefix(line.Error, "Invalid prime keyword"):
		return fmt.Sprintf("the line applies in primetime and in non-primetime, as with ALL; now it is %s",
			lint.Verb(lint.BoolInt(l.lineup.Prime), "primetime", "non-primetime"))
	}
	return "its value is " + line.Value
}

// meant guesses what a line that does not count was to say.
func (l *pbsLinter) meant(line model.SchedLine) string {
	text := "the scheduler orders " + lint.Many(len(l.waiting()), "waiting job") + " as if the line were missing"
	plain := strings.NewReplacer("_", "", "-", "")
	for _, o := range schedconfig.Options {
		if name := o.Name; !o.Old && !o.Gone && name != line.Name &&
			strings.EqualFold(plain.Replace(name), plain.Replace(line.Name)) {
			return text + "; the line probably means " + name
		}
	}
	return text
}

// insteadOf says what holds instead of an obsolete option.
func (l *pbsLinter) insteadOf(name string) string {
	if value, ok := model.Text(l.sched.Attributes, name); ok {
		return fmt.Sprintf("the scheduler's %s is %s", name, value)
	}
	if value, ok := model.Text(l.pbs.Server.Attributes, name); ok {
		return fmt.Sprintf("the server's %s is %s", name, value)
	}
	return "no attribute replaces it"
}

// prefixesMissing finds prefixes of queues that are empty, which is what every queue's name begins with (quirk P26).
func prefixesMissing(l *pbsLinter) (traps []lint.Trap) {
	if !l.config.Present {
		return nil
	}
	for _, p := range []struct {
		name, value, usual, what string
		set                      func(*model.SchedConfig)
	}{
		{"dedicated_prefix", l.config.DedicatedPrefix, "ded",
			"every queue is a dedicated time queue, and no job runs at any other time",
			func(c *model.SchedConfig) { c.DedicatedPrefix = "ded" }},
		{"nonprimetime_prefix", l.config.NonprimetimePrefix, "np_",
			"every queue is a non-primetime queue, and no job runs in primetime",
			func(c *model.SchedConfig) { c.NonprimetimePrefix = "np_" }},
		{"primetime_prefix", l.config.PrimetimePrefix, "p_",
			"every queue is a primetime queue, and no job runs in non-primetime",
			func(c *model.SchedConfig) { c.PrimetimePrefix = "p_" }},
	} {
		if p.value != "" {
			continue
		}
		out := l.standing(func(s *criteria.JobValues) bool { return s.Place == 0 && len(s.Why) > 0 })
		traps = append(traps, lint.Trap{
			Name:  "prefix-missing",
			What:  fmt.Sprintf("sched_config has no %s: %s", p.name, p.what),
			Place: lint.Place{File: l.source("sched_config")},
			Effect: lint.Sentences(fmt.Sprintf("the scheduler does not consider %d of %s now", len(out),
				lint.Many(len(l.waiting()), "waiting job")),
				l.mended(func(s *model.Snapshot) { p.set(&s.PBS.SchedConfig) })),
			Fix: []string{l.setOption(p.name, p.usual)},
		})
	}
	return traps
}

// roundRobinWins finds round_robin and by_queue, of which the first is obeyed (quirk P13).
func roundRobinWins(l *pbsLinter) []lint.Trap {
	if !l.either(func(p *model.CyclePolicy) bool { return p.RoundRobin && p.ByQueue }) {
		return nil
	}
	return []lint.Trap{{
		Name:   "round-robin-wins",
		What:   "by_queue is on but has no effect, because round_robin is on too",
		Place:  l.option("by_queue"),
		Effect: l.mended(turnedOff("round_robin")),
		Fix:    []string{l.setOption("round_robin", "False ALL"), l.setOption("by_queue", "False ALL")},
	}}
}

// spillCrosswise finds a spill that is not the same in both directions (quirk P25).
func spillCrosswise(l *pbsLinter) []lint.Trap {
	c := l.config
	if c.PrimeSpill == c.NonPrimeSpill || !l.either(func(p *model.CyclePolicy) bool { return p.BackfillPrime }) {
		return nil
	}
	return []lint.Trap{{
		Name: "spill-crosswise",
		What: fmt.Sprintf("the scheduler swaps the values of prime_spill: jobs may run %s into primetime and %s into "+
			"non-primetime", lint.Lasting(c.PrimeSpill), lint.Lasting(c.NonPrimeSpill)),
		Place: l.option("prime_spill"),
		Effect: l.mended(func(s *model.Snapshot) {
			s.PBS.SchedConfig.PrimeSpill, s.PBS.SchedConfig.NonPrimeSpill = c.NonPrimeSpill, c.PrimeSpill
		}),
		Fix: []string{l.setOption("prime_spill", clock(max(c.PrimeSpill, c.NonPrimeSpill))+" ALL"),
			"sed -i '/^prime_spill/{s/[[:space:]]non_prime/ PRIME_WAS/;s/[[:space:]]prime$/ " +
				"non_prime/;s/PRIME_WAS/prime/}' " + l.schedPriv() + "/sched_config" + again},
	}}
}

// clock prints a time as sched_config takes it.
func clock(d time.Duration) string {
	return fmt.Sprintf("%d:%02d:%02d", int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60)
}

// holidaysOld finds a file of holidays of another year, where primetime means anything.
func holidaysOld(l *pbsLinter) []lint.Trap {
	h := l.pbs.Holidays
	if h.Year == 0 || h.Year == l.at.Year() || len(h.Dates) == 0 || !l.primeMatters() {
		return nil
	}
	return []lint.Trap{{
		Name:  "holidays-old",
		What:  fmt.Sprintf("the holidays file is for %d: its days of the year match the holidays of that year only", h.Year),
		Place: l.First(l.source("holidays"), "YEAR"),
		Effect: fmt.Sprintf("%s of %d %s as a holiday because of the calendar of %d",
			lint.Many(len(h.Dates), "day"), l.at.Year(),
			lint.Verb(len(h.Dates), "counts", "count"), h.Year),
		Fix: []string{fmt.Sprintf("sed -i -e 's/^YEAR.*/YEAR %d/' -e '/^[0-9]/d' %s/holidays",
			l.at.Year(), l.schedPriv()) + again},
	}}
}

// primeMatters says whether anything depends on primetime.
func (l *pbsLinter) primeMatters() bool {
	c := l.config
	return fmt.Sprint(c.Prime) != fmt.Sprint(c.NonPrime) || l.either(func(p *model.CyclePolicy) bool {
		return p.BackfillPrime
	}) || slices.ContainsFunc(l.Queues, func(q model.Queue) bool {
		return strings.HasPrefix(q.Name, c.PrimetimePrefix) || strings.HasPrefix(q.Name, c.NonprimetimePrefix)
	})
}
