package show

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

func Blank(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

func Number32(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

// JoinOr joins words: "a, b or c".
func JoinOr(words []string) string { return listed(words, " or ") }

// JoinAnd joins words: "a, b and c".
func JoinAnd(list []string) string { return listed(list, " and ") }

func listed(list []string, before string) string {
	last := len(list) - 1
	if last <= 0 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + before + list[last]
}

func Ratio(v float64) string { return Decimal(v, 2) }

// Decimal formats a number with some digits after the point. An unknown number is a dash.
func Decimal(v float64, digits int) string {
	if math.IsNaN(v) {
		return "-"
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}

// Readable formats a number for people. A large number has three digits.
func Readable(v float64) string {
	if math.Abs(v) < 1e9 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strings.Replace(strconv.FormatFloat(v, 'g', 3, 64), "e+", "e", 1)
}

func Seconds(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return SpanText(time.Duration(math.Round(v)) * time.Second)
}

// SpanText formats a duration as Grid Engine does: h:mm:ss, with days before if needed.
func SpanText(d time.Duration) string {
	if d == model.Forever {
		return "INFINITY"
	}
	seconds := int64(d / time.Second)
	if d < 0 {
		return "-" + SpanText(-d)
	}
	text := fmt.Sprintf("%d:%02d:%02d", seconds/3600%24, seconds/60%60, seconds%60)
	if days := seconds / 86400; days > 0 {
		return fmt.Sprintf("%dd %s", days, text)
	}
	return text
}

// ManyLines is the most lines of one verdict that people see without --all.
const ManyLines = 30

// Joined joins the texts that are not empty.
func Joined(separator string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), separator)
}

func Rfc3339(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return new(t.UTC().Format(time.RFC3339Nano))
}

// InWords describes the numbers of a run: the formula of prior, and the effect of each policy on these jobs.
func InWords(s *model.Snapshot, v *lastrun.View) []string {
	p := &s.Policy
	return []string{
		fmt.Sprintf("prior = %g × npprior + %g × nurg + %g × ntckts; higher is sooner", p.WeightPriority,
			p.WeightUrgency, p.WeightTicket),
		"npprior: " + weighed(p.WeightPriority, "weight_priority", posixWords(v)),
		"nurg:    " + weighed(p.WeightUrgency, "weight_urgency", urgencyWords(v)),
		"ntckts:  " + weighed(p.WeightTicket, "weight_ticket", ticketWords(s, v)),
	}
}

// weighed describes a policy: its words, or "no effect" if its weight is 0.
func weighed(weight float64, name, words string) string {
	if weight == 0 {
		return "no effect on the order (" + name + " 0)"
	}
	return words
}

func posixWords(v *lastrun.View) string {
	least, most := math.MaxInt, math.MinInt
	for j := range v.Result.All() {
		least, most = min(least, j.Job.PosixPriority), max(most, j.Job.PosixPriority)
	}
	switch {
	case v.Result.Empty():
		return "no job took part"
	case least == most:
		return fmt.Sprintf("every job has -p %d: no effect on the order", least)
	}
	return fmt.Sprintf("(-p + 1024) / 2048, -p from %d to %d", least, most)
}

func urgencyWords(v *lastrun.View) string {
	u := v.Result.Urgency
	switch {
	case v.Result.Empty() || math.IsNaN(u.Lo) || math.IsNaN(u.Hi):
		return "not known"
	case u.Hi-u.Lo < 0.00001:
		return fmt.Sprintf("every job has urgency %s, so it is 0.5 for all: no effect on the order", Readable(u.Hi))
	}
	return fmt.Sprintf("urgency from %s (0) to %s (1)", Readable(u.Lo), Readable(u.Hi))
}

func ticketWords(s *model.Snapshot, v *lastrun.View) string {
	p := &s.Policy
	if v.Result.Tickets.Maximum < 0.00001 {
		return "nobody has tickets, so it is 0.5 for all: no effect on the order"
	}
	return fmt.Sprintf("tickets divided by the largest number, %s; functional %s, share tree %s",
		lastrun.Tckts.Print(v.Result.Tickets.Maximum),
		policyTickets(p.FunctionalTickets, true, "weight_tickets_functional"), treeTickets(s))
}

func treeTickets(s *model.Snapshot) string {
	if s.Policy.ShareTreeTickets > 0 && !s.TreeKnown() {
		return "not known (the bundle lacks share_tree.txt)"
	}
	return policyTickets(s.Policy.ShareTreeTickets, s.ShareTree != nil, "weight_tickets_share")
}

// policyTickets says how many tickets a policy gives out, or why none.
func policyTickets(tickets uint32, has bool, weight string) string {
	switch {
	case tickets == 0:
		return "off (" + weight + " 0)"
	case !has:
		return "off (no tree)"
	}
	return Number32(tickets)
}

// Page is the width of text for people if there is no terminal.
const Page = 80

// Folded breaks a line that has more than most columns. Further lines are indented. 0 means no limit.
func Folded(line string, most int) string {
	if most == 0 || displayWidth(line) <= most {
		return line
	}
	body := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(body)]
	return indent + Wrapped(body, indent+"  ", most-len(indent)-2)
}

// Wrapped breaks a text into lines of at most most characters. indent begins each line except the first.
func Wrapped(text, indent string, most int) string {
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		length := displayWidth(word)
		switch {
		case i > 0 && column+1+length > most:
			b.WriteString("\n" + indent)
			column = 0
		case i > 0:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += length
	}
	return b.String()
}

// Hanging prints begin and then a text, in lines of at most most columns. Further lines start below the text. 0
// means no limit.
func Hanging(begin, text string, most int) string {
	room := most - displayWidth(begin)
	if most == 0 || displayWidth(text) <= room {
		return begin + text
	}
	return begin + Wrapped(text, strings.Repeat(" ", displayWidth(begin)), max(room, leastText))
}
