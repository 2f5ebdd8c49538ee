package intend

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A Kind is the kind of a sentence.
type Kind string

// The kinds of sentences.
const (
	Before   Kind = "before"   // SELECTOR before SELECTOR
	Within   Kind = "within"   // within each department, slots decide
	Policies Kind = "policies" // urgency before tickets
	Worth    Kind = "worth"    // 1h of waiting is worth 4 slots
	Waits    Kind = "waits"    // SELECTOR waits at most 8h
	Starts   Kind = "starts"   // SELECTOR starts within 2h
	Gets     Kind = "gets"     // SELECTOR gets at least 40% over 30d
	Passed   Kind = "passed"   // SELECTOR is not passed
)

// An Intention is a parsed sentence.
type Intention struct {
	Text          string
	Kind          Kind
	First, Second Selector      // First comes before Second; for other kinds First are the jobs of the sentence
	Each          string        // of Within: user, project, department, or "" for all jobs
	By            [2]string     // for Within and Policies: the deciding number, and for Policies the other one
	Span          time.Duration // for Worth, Waits, Starts and Gets
	Number        float64       // for Worth a number of slots, for Gets a fraction
}

// Forms are the sentences that Parse reads.
const Forms = `SELECTOR before SELECTOR; within each user, project or department, slots, waiting, urgency or -p decide; urgency, tickets or -p ` +
	`before another of these; 1h of waiting is worth 4 slots; SELECTOR waits at most 8h; SELECTOR starts within 2h; SELECTOR gets at least 40% ` +
	`over 30d; SELECTOR is not passed. A selector is one or several, with "and" between them, of: user, project, department or job NAME; ` +
	`-l RESOURCE; at least or at most N slots; all jobs`

var forms = []struct {
	kind Kind
	form *regexp.Regexp
	read func(i *Intention, part []string) error
}{
	{Within, regexp.MustCompile(
		`^within (?:each )?(user|project|department|all jobs)s?,? (slots|waiting|urgency|-p) decides?$`),
		func(i *Intention, part []string) error {
			if i.Each = part[1]; i.Each == anybody {
				i.Each = ""
			}
			i.By[0] = part[2]
			return nil
		}},
	{Policies, regexp.MustCompile(`^(urgency|tickets|sharing|-p) before (urgency|tickets|sharing|-p)$`),
		func(i *Intention, part []string) error {
			for k := range i.By {
				if i.By[k] = part[1+k]; i.By[k] == "sharing" {
					i.By[k] = byTickets
				}
			}
			if i.By[0] == i.By[1] {
				return errors.New("a policy cannot come before itself")
			}
			return nil
		}},
	{Worth, regexp.MustCompile(`^(?:an |a )?(\S+) of waiting is worth (?:([0-9.]+) slots?|one slot)$`),
		func(i *Intention, part []string) error {
			i.Number = 1
			return errors.Join(i.span(part[1]), i.number(part[2]))
		}},
	{Waits, regexp.MustCompile(`^(.+) waits? at most (\S+)$`),
		func(i *Intention, part []string) error { return errors.Join(i.selects(part[1]), i.span(part[2])) }},
	{Starts, regexp.MustCompile(`^(.+) starts? within (\S+)$`),
		func(i *Intention, part []string) error { return errors.Join(i.selects(part[1]), i.span(part[2])) }},
	{Gets, regexp.MustCompile(`^(.+) gets? at least (\S+?) ?%(?: over (\S+))?$`),
		func(i *Intention, part []string) error {
			err := errors.Join(i.selects(part[1]), i.number(part[2]), i.span(part[3]))
			if i.Number /= 100; i.Number > 1 {
				return errors.New("more than 100 %")
			}
			return err
		}},
	{Passed, regexp.MustCompile(`^(.+) (?:is|are) not passed$`),
		func(i *Intention, part []string) error { return i.selects(part[1]) }},
	{Before, regexp.MustCompile(`^(.+) before (.+)$`),
		func(i *Intention, part []string) error {
			second, err := readSelector(part[2])
			i.Second = second
			return errors.Join(i.selects(part[1]), err)
		}},
}

// Parse reads a sentence.
func Parse(text string) (Intention, error) {
	plain := strings.Join(strings.Fields(strings.TrimSuffix(strings.TrimSpace(text), ".")), " ")
	for _, f := range forms {
		if part := f.form.FindStringSubmatch(plain); part != nil {
			i := Intention{Text: plain, Kind: f.kind}
			if err := f.read(&i, part); err != nil {
				return i, fmt.Errorf("%q: %w", plain, err)
			}
			return i, nil
		}
	}
	return Intention{}, fmt.Errorf("unknown sentence %q: %s", plain, Forms)
}

func (i *Intention) selects(text string) (err error) {
	i.First, err = readSelector(text)
	return err
}

func (i *Intention) number(text string) (err error) {
	if text == "" {
		return nil
	}
	if i.Number, err = strconv.ParseFloat(text, 64); err != nil || !(i.Number > 0) || i.Number > 1e9 {
		return fmt.Errorf("%q is not a number above 0", text)
	}
	return nil
}

// units are those of times in sentences.
var units = map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "hour": time.Hour,
	"hours": time.Hour, "d": 24 * time.Hour,
	"day": 24 * time.Hour, "days": 24 * time.Hour, "minute": time.Minute, "minutes": time.Minute}

var spanForm = regexp.MustCompile(`^([0-9.]*)([a-z]+)$`)

// span reads a stretch of time: 8h, 30d, hour.
func (i *Intention) span(text string) error {
	if text == "" {
		return nil
	}
	part := spanForm.FindStringSubmatch(text)
	if part == nil || units[part[2]] == 0 {
		return fmt.Errorf("%q is not a duration such as 90m, 8h or 30d", text)
	}
	n := 1.0
	if part[1] != "" {
		var err error
		if n, err = strconv.ParseFloat(part[1], 64); err != nil || !(n > 0) || n > 1e6 {
			return fmt.Errorf("%q is not a duration such as 90m, 8h or 30d", text)
		}
	}
	i.Span = time.Duration(n * float64(units[part[2]]))
	return nil
}

var termForms = []struct {
	form *regexp.Regexp
	term func(part []string) Term
}{
	{regexp.MustCompile(`^all jobs$`), func([]string) Term { return Term{Kind: anybody} }},
	{regexp.MustCompile(`^(?:jobs of )?(user|project|department) (\S+)$`),
		func(part []string) Term { return Term{Kind: part[1], Name: part[2]} }},
	{regexp.MustCompile(`^job ([0-9]{1,9})$`), func(part []string) Term {
		return Term{Kind: ofJob, Number: whole(part[1])}
	}},
	{regexp.MustCompile(`^(?:jobs with )?-l (\S+)$`), func(part []string) Term {
		return Term{Kind: asking, Name: part[1]}
	}},
	{regexp.MustCompile(`^(?:jobs of )?(at least|at most) ([0-9]{1,9}) slots?$`),
		func(part []string) Term { return Term{Kind: part[1], Number: whole(part[2])} }},
}

func whole(digits string) int {
	n, _ := strconv.Atoi(digits) // nine digits at the most
	return n
}

// readSelector reads terms with "and" between them.
func readSelector(text string) (s Selector, err error) {
next:
	for _, word := range strings.Split(text, " and ") {
		for _, f := range termForms {
			if part := f.form.FindStringSubmatch(strings.TrimSpace(word)); part != nil {
				s = append(s, f.term(part))
				continue next
			}
		}
		return nil, fmt.Errorf("%q selects no jobs: a selector is user, project, department or job "+
			"NAME, -l RESOURCE, at least or at most N slots, all jobs",
			word)
	}
	return s, nil
}
