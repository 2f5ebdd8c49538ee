package model

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A TaskSet is a set of task numbers. A job that is no array has task 1.
type TaskSet map[uint32]bool

// mostTasks bounds what a text can make a set of; max_aj_tasks, sge_conf(5), is 75000 by default.
const mostTasks = 1_000_000

// TasksOf is the set of numbers in ranges; no ranges mean task 1. Numbers above a million are ignored.
func TasksOf(ranges []Range) TaskSet {
	s := TaskSet{}
	if len(ranges) == 0 {
		s[1] = true
	}
	for _, r := range ranges {
		for n := range r.All() {
			if len(s) == mostTasks {
				return s
			}
			s[n] = true
		}
	}
	return s
}

// TaskText formats task numbers as qstat does: "1", "2-10:2", "1,4". No ranges mean task 1.
func TaskText(ranges []Range) string {
	if len(ranges) == 0 {
		return "1"
	}
	parts := make([]string, 0, len(ranges))
	for _, r := range ranges {
		if r.Min == r.Max {
			parts = append(parts, strconv.FormatUint(uint64(r.Min), 10))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d:%d", r.Min, r.Max, max(r.Step, 1)))
		}
	}
	return strings.Join(parts, ",")
}

// ParseTasks reads task numbers as qstat prints them, "1-9:2,12"; an empty text means task 1.
func ParseTasks(text string) (TaskSet, error) {
	if strings.TrimSpace(text) == "" {
		return TaskSet{1: true}, nil
	}
	var ranges []Range
	count := uint64(0)
	for part := range strings.SplitSeq(text, ",") {
		r, err := parseTaskRange(strings.TrimSpace(part))
		if err != nil {
			return nil, fmt.Errorf("task numbers %q: %w", text, err)
		}
		if count += uint64(r.Max-r.Min)/uint64(r.Step) + 1; count > mostTasks {
			return nil, fmt.Errorf("task numbers %q: more than %d", text, mostTasks)
		}
		ranges = append(ranges, r)
	}
	return TasksOf(ranges), nil
}

func parseTaskRange(text string) (r Range, err error) {
	text, step, stepped := strings.Cut(text, ":")
	low, high, ranged := strings.Cut(text, "-")
	if !ranged {
		high = low
	}
	if !stepped {
		step = "1"
	}
	for _, f := range []struct {
		to   *uint32
		text string
	}{{&r.Min, low}, {&r.Max, high}, {&r.Step, step}} {
		n, err := strconv.ParseUint(f.text, 10, 32)
		if err != nil {
			return r, err
		}
		*f.to = uint32(n)
	}
	if r.Min == 0 || r.Max < r.Min || r.Step == 0 {
		return r, strconv.ErrRange
	}
	return r, nil
}

// Ranges are the numbers of a set as ranges of step 1, in ascending order.
func (s TaskSet) Ranges() (list []Range) {
	for _, n := range s.Numbers() {
		if k := len(list); k > 0 && list[k-1].Max+1 == n {
			list[k-1].Max = n
			continue
		}
		list = append(list, Range{Min: n, Max: n, Step: 1})
	}
	return list
}

// Numbers are the numbers of a set, in ascending order.
func (s TaskSet) Numbers() []uint32 { return slices.Sorted(maps.Keys(s)) }

// String writes a set for ParseTasks: "1-3,7"; an empty set is "".
func (s TaskSet) String() string {
	var parts []string
	for _, r := range s.Ranges() {
		part := strconv.FormatUint(uint64(r.Min), 10)
		if r.Max > r.Min {
			part += "-" + strconv.FormatUint(uint64(r.Max), 10)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ",")
}

// And is the intersection of two sets.
func (s TaskSet) And(o TaskSet) TaskSet { return s.filter(func(n uint32) bool { return o[n] }) }

// Without is the set without the numbers of the other.
func (s TaskSet) Without(o TaskSet) TaskSet { return s.filter(func(n uint32) bool { return !o[n] }) }

// With is the union of two sets.
func (s TaskSet) With(o TaskSet) TaskSet {
	both := maps.Clone(s)
	if both == nil {
		both = TaskSet{}
	}
	maps.Copy(both, o)
	return both
}

func (s TaskSet) filter(keep func(uint32) bool) TaskSet {
	list := TaskSet{}
	for n := range s {
		if keep(n) {
			list[n] = true
		}
	}
	return list
}
