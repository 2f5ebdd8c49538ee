package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/cmd/qprism/words"
	"qprism/engine/gridengine/dispatch"
	"qprism/engine/whatif"
)

// A VariantMaker applies variants to cases.
type VariantMaker struct {
	Ctx     context.Context
	Today   *whatif.Case
	At      time.Time
	Timeout time.Duration
	Warn    io.Writer
	Whole   bool             // an external program must name at least one waiting job
	Rules   *[]dispatch.Rule // gets the rules of an external program; nil to ignore them
}

// Apply ranks the jobs of a case by a variant.
func (v *VariantMaker) Apply(c *whatif.Case, words []string) (said []string, err error) {
	if len(words) == 0 {
		return nil, nil
	}
	least, known := Variants[words[0]]
	switch {
	case !known:
		return nil, fmt.Errorf("unknown variant %q; use linear, fairshare, formula EXPR or external CMD", words[0])
	case len(words)-1 < least:
		return nil, fmt.Errorf("variant %s: its argument is missing", words[0])
	case words[0] != "external" && len(words)-1 > least:
		return nil, fmt.Errorf("variant %s: too many words; put a formula in quotes", words[0])
	}
	switch words[0] {
	case "linear":
		if !c.RankLinear() {
			err = errors.New("variant linear is for the policies of Grid Engine; for PBS use a formula: formula EXPR")
		}
	case "fairshare":
		c.RankByFairshare()
	case "formula":
		err = c.RankByFormula(words[1])
	case "external":
		err = v.external(c, words[1:])
	}
	return []string{strings.Join(words, " ")}, err
}

// external lets a program rank the jobs of the case, once.
func (v *VariantMaker) external(c *whatif.Case, argv []string) error {
	jobs := c.Order(v.At)
	input, err := json.Marshal(map[string]any{"schema": 1, "at": show.Rfc3339(v.At), "order": jobs,
		"snapshot": plain(c.Snapshot)})
	if err != nil {
		return err
	}
	text, err := v.run(argv, input)
	if err != nil {
		return fmt.Errorf("external %s: %w", argv[0], err)
	}
	order, dropped, rules, err := parseOrder(text, jobs)
	if err == nil {
		err = dispatch.Check(rules)
	}
	if err != nil {
		return fmt.Errorf("external %s: %w", argv[0], err)
	}
	if v.Rules != nil {
		*v.Rules = rules
	}
	if v.Whole && len(order) == 0 && len(rules) == 0 && len(jobs) > 0 {
		return fmt.Errorf("external %s: the order is empty", argv[0])
	}
	if len(dropped) > 0 {
		fmt.Fprintf(v.Warn, "qprism: external %s: ignored %s of its order, because they do not wait or "+
			"are listed twice: %s\n", argv[0], show.Plural(len(dropped), "job"), numbersOf(dropped))
	}
	if left := len(jobs) - len(order); left > 0 && (len(order) > 0 || len(rules) == 0) {
		fmt.Fprintf(v.Warn, "qprism: external %s: %s not in its order, so they come last\n",
			argv[0], show.Plural(left, "waiting job"))
	}
	c.RankAs(order)
	return nil
}

// mostOutput limits the output of an external program.
const mostOutput = 64 << 20

// run runs a program with an input. When its time is over, run stops it and its children.
func (v *VariantMaker) run(argv []string, input []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(v.Ctx, v.Timeout)
	defer cancel()
	c := exec.CommandContext(ctx, argv[0], argv[1:]...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = time.Second
	out, complaints := &bounded{most: mostOutput}, &bounded{most: 4096}
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(input), out, complaints
	err := c.Run()
	switch {
	case ctx.Err() == context.DeadlineExceeded:
		return nil, fmt.Errorf("took longer than %v", v.Timeout)
	case out.over:
		return nil, fmt.Errorf("wrote more than %d bytes", mostOutput)
	case err != nil && !errors.Is(err, syscall.EPIPE):
		return nil, fmt.Errorf("%w%s", err, words.Quoted(show.Printable(strings.TrimSpace(complaints.String()))))
	}
	return out.Bytes(), nil
}

// bounded keeps written data up to a size, and drops the rest.
type bounded struct {
	bytes.Buffer
	most int
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if room := b.most - b.Len(); len(p) > room {
		b.over = true
		b.Buffer.Write(p[:room])
		return len(p), nil
	}
	return b.Buffer.Write(p)
}

// parseOrder reads an order: a list of jobs, or an object that has one as "order". A job is a number, or a text
// such as an id of PBS: "12.server", "12[].server". It drops jobs that do not wait or that come again, because
// the queue changes while a program computes. An order without any other job is an error. An object may have
// rules, with or without an order.
func parseOrder(text []byte, waiting []uint32) (order, dropped []uint32, rules []dispatch.Rule, err error) {
	var list []json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil || list == nil {
		var object struct {
			Order *[]json.RawMessage
			Rules json.RawMessage
		}
		if err := json.Unmarshal(text, &object); err != nil {
			return nil, nil, nil, fmt.Errorf("its output is not an order in JSON: %w", err)
		}
		if object.Order == nil && object.Rules == nil {
			return nil, nil, nil, errors.New(`its output is an object without "order"`)
		}
		if rules, err = parseRules(object.Rules); err != nil {
			return nil, nil, nil, err
		}
		if object.Order != nil {
			list = *object.Order
		}
	}
	known := map[uint32]bool{}
	for _, number := range waiting {
		known[number] = true
	}
	for _, item := range list {
		number, ok := parseOrdered(item)
		switch {
		case !ok:
			return nil, nil, nil, fmt.Errorf("%s is not a job number", show.Printable(shortened(string(item))))
		case !known[number]:
			dropped = append(dropped, number)
			continue
		}
		delete(known, number)
		order = append(order, number)
	}
	if len(order) == 0 && len(dropped) > 0 {
		return nil, nil, nil, fmt.Errorf("none of the %d jobs that it names waits", len(dropped))
	}
	return order, dropped, rules, nil
}

// parseRules reads rules. An unknown word is an error, because otherwise a restriction could get lost.
func parseRules(text json.RawMessage) (rules []dispatch.Rule, err error) {
	if text == nil {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&rules); err != nil {
		return nil, fmt.Errorf("its rules: %s", show.Printable(err.Error()))
	}
	return rules, nil
}

// numbersOf are the first few of some numbers.
func numbersOf(list []uint32) string {
	const few = 5
	var texts []string
	for _, n := range list[:min(few, len(list))] {
		texts = append(texts, show.Number32(n))
	}
	if len(list) > few {
		texts = append(texts, "…")
	}
	return strings.Join(texts, ", ")
}

func parseOrdered(item json.RawMessage) (number uint32, ok bool) {
	digits := string(item)
	var id string
	if json.Unmarshal(item, &id) == nil {
		digits = id
		if end := strings.IndexAny(id, ".["); end >= 0 {
			digits = id[:end]
		}
	}
	n, err := strconv.ParseUint(digits, 10, 32)
	return uint32(n), err == nil
}

func shortened(text string) string {
	if len(text) > 40 {
		return text[:40] + "…"
	}
	return text
}

// completeVariant completes a bundle, or the variant of what-if after it.
func completeVariant(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	list, directive := subject.CompleteBundle(c, args, word)
	for _, name := range variantNames() {
		if len(args) < 2 && word != "" && strings.HasPrefix(name, word) {
			list = append(list, name)
		}
	}
	return list, directive
}

// CompletePolicy completes the name of a policy for a push. A policy may also be a file.
func CompletePolicy(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	return slices.DeleteFunc(variantNames(), func(name string) bool {
		return !strings.HasPrefix(name, word)
	}), cobra.ShellCompDirectiveDefault
}

func variantNames() []string { return slices.Sorted(maps.Keys(Variants)) }
