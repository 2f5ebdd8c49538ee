package qstat

import (
	"fmt"
	"strconv"
	"strings"

	"qprism/engine/model"
)

// parseRanges reads ranges in the form of qstat, "1-3:1,7,10-20:2", and adds them to a list. Ranges may be as
// large as the master allows. So a caller must not count their numbers one by one.
func parseRanges(into []model.Range, text string) ([]model.Range, error) {
	for part := range strings.SplitSeq(text, ",") {
		r, err := parseRange(strings.TrimSpace(part))
		if err != nil {
			return into, err
		}
		into = appendRange(into, r)
	}
	return into, nil
}

func parseRange(text string) (model.Range, error) {
	bounds, step, stepped := strings.Cut(text, ":")
	first, last, isRange := strings.Cut(bounds, "-")
	if !isRange {
		last = first
	}
	if !stepped {
		step = "1"
	}
	var n [3]uint32
	for i, s := range []string{first, last, step} {
		v, err := strconv.ParseUint(s, 10, 32)
		if err != nil {
			return model.Range{}, fmt.Errorf("a range: %w", errSyntax)
		}
		n[i] = uint32(v)
	}
	return newRange(n[0], n[1], n[2])
}

// newRange checks a range from outside.
func newRange(first, last, step uint32) (model.Range, error) {
	if last < first || step == 0 && last > first {
		return model.Range{}, fmt.Errorf("a range that ends before it starts: %w", errSyntax)
	}
	return rangeOf(first, last, step), nil
}

// rangeOf makes a range in its only form: Max is its last number, and a single number has step 1.
func rangeOf(first, last, step uint32) model.Range {
	if step > 0 {
		last -= (last - first) % step
	}
	if first == last {
		step = 1
	}
	return model.Range{Min: first, Max: last, Step: step}
}

// appendRange adds a range to a list. If it continues the last range, it makes that range longer.
func appendRange(list []model.Range, r model.Range) []model.Range {
	if len(list) == 0 {
		return append(list, r)
	}
	last := &list[len(list)-1]
	one, lastOne := r.Min == r.Max, last.Min == last.Max
	distance := r.Min - last.Max // an overflow fits no range
	switch {
	case distance == 0 || r.Min < last.Max:
		return append(list, r)
	case (one || r.Step == distance) && (lastOne || last.Step == distance):
		last.Max, last.Step = r.Max, distance
		return list
	case one && last.Max-last.Min == last.Step && distance < last.Step:
		// Two numbers far apart made a range. Its second number and the new one make a better range.
		second := last.Max
		*last = model.Range{Min: last.Min, Max: last.Min, Step: 1}
		return append(list, model.Range{Min: second, Max: r.Min, Step: distance})
	}
	return append(list, r)
}

// takeNumbers splits ranges into those with the listed numbers and the rest. Both must be in rising order, as
// in the master. Numbers in another order stay.
func takeNumbers(all []model.Range, numbers []uint32) (taken, rest []model.Range) {
	for _, r := range all {
		next, more := r.Min, true // next is the first number that is in neither list
		for ; len(numbers) > 0 && numbers[0] <= r.Max; numbers = numbers[1:] {
			n := numbers[0]
			if !more || n < next || (n-r.Min)%r.Step != 0 {
				continue // not in the range, or listed twice
			}
			taken = appendRange(taken, rangeOf(n, n, 1))
			if n > next {
				rest = append(rest, rangeOf(next, n-r.Step, r.Step))
			}
			next, more = n+r.Step, n < r.Max
		}
		if more {
			rest = append(rest, rangeOf(next, r.Max, r.Step))
		}
	}
	return taken, rest
}

// addMissing adds ranges to a list, without numbers that it already has.
func addMissing(list, more []model.Range) []model.Range {
	for _, r := range more {
		rest := []model.Range{r}
		for _, have := range list {
			rest = withoutRange(rest, have)
		}
		list = append(list, rest...)
	}
	return list
}

// withoutRange removes the numbers of a range from others, if they have the same step.
func withoutRange(all []model.Range, gone model.Range) (rest []model.Range) {
	for _, r := range all {
		one := r.Min == r.Max && gone.Holds(r.Min)
		sameSteps := r.Step == gone.Step && gone.Step > 0 && (max(r.Min, gone.Min)-min(r.Min, gone.Min))%gone.Step == 0
		switch {
		case one:
		case !sameSteps || gone.Max < r.Min || gone.Min > r.Max:
			rest = append(rest, r)
		default:
			if r.Min < gone.Min {
				rest = append(rest, rangeOf(r.Min, gone.Min-r.Step, r.Step))
			}
			if r.Max > gone.Max {
				rest = append(rest, rangeOf(gone.Max+r.Step, r.Max, r.Step))
			}
		}
	}
	return rest
}

// lastNumbers returns the last n numbers of ranges in rising order.
func lastNumbers(all []model.Range, n uint64) (last []model.Range) {
	skip := uint64(model.CountOf(all))
	skip -= min(skip, n)
	for _, r := range all {
		has := uint64(model.CountOf([]model.Range{r}))
		if has > skip {
			last = append(last, rangeOf(r.Min+uint32(skip)*max(r.Step, 1), r.Max, r.Step))
		}
		skip -= min(skip, has)
	}
	return last
}

// numbersFrom returns the numbers of ranges from first on.
func numbersFrom(all []model.Range, first uint32) (rest []model.Range) {
	for _, r := range all {
		step := max(r.Step, 1)
		if r.Min < first {
			r.Min += (first - r.Min + step - 1) / step * step
		}
		if r.Min <= r.Max {
			rest = append(rest, rangeOf(r.Min, r.Max, r.Step))
		}
	}
	return rest
}
