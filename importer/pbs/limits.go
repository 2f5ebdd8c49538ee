package pbs

import (
	"errors"
	"strings"

	"qprism/engine/model"
)

// limitNames are the attributes with lists of limits.
var limitNames = names(`max_run max_run_soft max_run_res max_run_res_soft max_queued max_queued_res queued_jobs_threshold
	queued_jobs_threshold_res`)

// oldLimits are older attributes with one number, and for whom each counts.
var oldLimits = map[string]model.Limit{
	"max_running":         {Attribute: "max_run", Kind: "o", Entity: "PBS_ALL"},
	"max_user_run":        {Attribute: "max_run", Kind: "u", Entity: "PBS_GENERIC"},
	"max_group_run":       {Attribute: "max_run", Kind: "g", Entity: "PBS_GENERIC"},
	"max_user_run_soft":   {Attribute: "max_run_soft", Kind: "u", Entity: "PBS_GENERIC"},
	"max_group_run_soft":  {Attribute: "max_run_soft", Kind: "g", Entity: "PBS_GENERIC"},
	"max_user_res":        {Attribute: "max_run_res", Kind: "u", Entity: "PBS_GENERIC"},
	"max_group_res":       {Attribute: "max_run_res", Kind: "g", Entity: "PBS_GENERIC"},
	"max_user_res_soft":   {Attribute: "max_run_res_soft", Kind: "u", Entity: "PBS_GENERIC"},
	"max_group_res_soft":  {Attribute: "max_run_res_soft", Kind: "g", Entity: "PBS_GENERIC"},
	"max_queuable":        {Attribute: "max_queued", Kind: "o", Entity: "PBS_ALL"},
	"max_user_queuable":   {Attribute: "max_queued", Kind: "u", Entity: "PBS_GENERIC"}, // Torque
	"max_group_queueable": {Attribute: "max_queued", Kind: "g", Entity: "PBS_GENERIC"},
}

// withLimits adds the attributes with limits to other places.
func withLimits(to places, list *[]model.Limit) places {
	for name := range limitNames {
		to[name] = list
	}
	for name := range oldLimits {
		to[name] = list
	}
	return to
}

// limits adds the limits of the current attribute to a list.
func (f *filler) limits(list *[]model.Limit) {
	if old, ok := oldLimits[f.attr.Name]; ok {
		old.Resource, old.Value = f.attr.Resource, f.str()
		old.Amount = f.limitAmount(old.Value)
		*list = append(*list, old)
		return
	}
	for item := range limitItems(string(f.bytes())) {
		l, err := parseLimit(item)
		if err != nil {
			f.bad(err)
			continue
		}
		l.Attribute, l.Resource = f.attr.Name, f.attr.Resource
		l.Amount = f.limitAmount(l.Value)
		*list = append(*list, l)
	}
}

func (f *filler) limitAmount(value string) float64 {
	amount, ok := model.PBSAmount(value)
	if !ok {
		f.bad(errSyntax)
	}
	return amount
}

// limitItems yields the items of "[u:PBS_GENERIC=2],[u:"a,b"=3]".
func limitItems(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for text != "" {
			text = strings.TrimLeft(text, ", \t[")
			if text == "" {
				return
			}
			end := limitEnd(text)
			if !yield(text[:end]) {
				return
			}
			text = strings.TrimLeft(text[end:], "] \t")
		}
	}
}

// limitEnd finds the end of the first item: a bracket or comma outside quotes.
func limitEnd(text string) int {
	var quote byte
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == ']' || c == ',':
			return i
		}
	}
	return len(text)
}

var errLimit = errors.New(`no limit, "[u:name=4]"`)

// parseLimit reads "u:name=4".
func parseLimit(text string) (l model.Limit, err error) {
	kind, rest, ok := strings.Cut(text, ":")
	i := strings.LastIndexByte(rest, '=')
	kind = strings.TrimSpace(kind)
	if !ok || i < 1 || len(kind) != 1 || !strings.Contains("ougp", kind) {
		return l, errLimit
	}
	l.Kind, l.Entity, l.Value = kind, strings.Trim(strings.TrimSpace(rest[:i]), `"'`), strings.TrimSpace(rest[i+1:])
	return l, nil
}
