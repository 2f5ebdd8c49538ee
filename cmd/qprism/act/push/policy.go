package push

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"qprism/cmd/qprism/subject"
	"qprism/cmd/qprism/trial"
	"qprism/engine/whatif"
)

// ProgramTime is the time limit of an external program for the wanted order.
const ProgramTime = 30 * time.Second

// orderOf returns the order of waiting jobs under another policy. This is a variant of what-if, or the
// scheduler configuration in a file.
func orderOf(ctx context.Context, s *subject.Subject, opts Options, at time.Time, warn io.Writer) ([]uint32, error) {
	name := opts.Policy
	today := &whatif.Case{Snapshot: s.Snapshot, Quirks: s.Look.Quirks}
	words := VariantWords(name)
	if _, known := trial.Variants[words[0]]; !known {
		return orderUnder(s, name, at, warn)
	}
	own := *s.Snapshot
	then := &whatif.Case{Snapshot: &own, Quirks: s.Look.Quirks}
	v := trial.VariantMaker{Ctx: ctx, Today: today, At: at, Timeout: cmp.Or(opts.Patience, ProgramTime),
		Warn: warn, Whole: opts.Driven, Rules: opts.Rules}
	if _, err := v.Apply(then, words); err != nil {
		return nil, fmt.Errorf("--policy %w", err)
	}
	return then.Order(at), nil
}

func orderUnder(s *subject.Subject, path string, at time.Time, warn io.Writer) ([]uint32, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("--policy %q: neither linear, fairshare, formula EXPR nor external CMD, "+
			"nor a file: %w", path, err)
	}
	own := *s.Snapshot
	o := trial.WhatIfOptions{Policy: path}
	if _, err := o.ChangePolicy(&own, warn); err != nil {
		return nil, err
	}
	return (&whatif.Case{Snapshot: &own, Quirks: s.Look.Quirks}).Order(at), nil
}

// VariantWords splits the text of a variant into words. A formula is one word, even if it has blanks.
func VariantWords(text string) []string {
	name, rest, more := strings.Cut(strings.TrimSpace(text), " ")
	switch {
	case !more:
		return []string{name}
	case name == "formula":
		return []string{name, strings.TrimSpace(rest)}
	}
	return append([]string{name}, strings.Fields(rest)...)
}
