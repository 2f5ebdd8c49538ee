package qconf

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/importer/fields"
)

var (
	errTwice   = errors.New("given twice")
	errSyntax  = fields.ErrSyntax
	errRange   = fields.ErrRange
	errMissing = fields.ErrMissing
)

// errLeftOut means that the snapshot lists the object as left out.
var errLeftOut = errors.New("left out")

// fill reads the lines of an object. An unknown key goes into the snapshot's list. A required key must exist.
// If a line cannot be read, fill leaves out the whole object (errLeftOut), because a part of it would look
// complete.
func (c *configReader) fill(o object, known fields.Table, required string) (err error) {
	seen := map[string]bool{}
	for _, l := range o.rest {
		key, value := l.pair()
		isKnown, readError := true, fmt.Errorf("%s: %w", key, errTwice)
		if !seen[key] {
			isKnown, readError = known.Read(key, value)
		}
		if !isKnown {
			c.Unknown(o.file, l.number, key, value)
			continue
		}
		seen[key] = true
		if readError != nil {
			c.LeaveOut(o.file, l.number, l.text, readError)
			err = errLeftOut
		}
	}
	for key := range strings.FieldsSeq(required) {
		if !seen[key] {
			c.LeaveOut(o.file, o.line.number, o.line.text, fmt.Errorf("%s: %w", key, errMissing))
			err = errLeftOut
		}
	}
	return err
}

// The forms of values. NONE is the empty text or list.

func optional(p *string) fields.Field {
	return fields.Converted(p, func(value string) string {
		if isNone(value) {
			return ""
		}
		return value
	}).Holding(fields.Names)
}

func list(p *[]string) fields.Field { return fields.Converted(p, members).Holding(fields.Names) }

// settings reads "name=value,…". In files of classic spooling, blanks separate them.
func settings(p *[]model.Setting) fields.Field {
	return fields.Converted(p, func(value string) []model.Setting { return parseSettings(value, ","+blanks) })
}

func amounts(p *[]model.Amount) fields.Field {
	return fields.Parsed(p, func(value string) ([]model.Amount, error) { return parseAmounts(value, ","+blanks) })
}

// also adds keys whose values go into a list of settings.
func also(t fields.Table, into *[]model.Setting, h fields.Holds, keys string) {
	for key := range strings.FieldsSeq(keys) {
		t[key] = fields.AsSetting(into, key).Holding(h)
	}
}

// unused adds keys that qprism knows but does not use.
func unused(t fields.Table, h fields.Holds, keys string) {
	for key := range strings.FieldsSeq(keys) {
		t[key] = fields.Unused(h)
	}
}

func integer(p *int) fields.Field { return fields.Whole(p, math.MinInt32, math.MaxUint32) }

func interval(p *time.Duration) fields.Field { return fields.Parsed(p, model.ParseInterval) }

// hours reads a time in whole hours.
func hours(p *time.Duration) fields.Field {
	return fields.Parsed(p, func(value string) (time.Duration, error) {
		n, err := fields.ParseWhole(value, 0, int(model.Forever/time.Hour))
		return time.Duration(n) * time.Hour, err
	})
}

// parseSettings reads "name=value,…" with these separators. NONE is the empty list. A name alone has no value.
func parseSettings(value, separators string) []model.Setting {
	if isNone(value) {
		return nil
	}
	var list []model.Setting
	for _, piece := range pieces(value, separators) {
		name, v, _ := strings.Cut(piece, "=")
		list = append(list, model.Setting{Name: strings.Trim(name, blanks), Value: strings.Trim(v, blanks)})
	}
	return list
}

// parseAmounts reads "name=number,…".
func parseAmounts(value, separators string) ([]model.Amount, error) {
	var list []model.Amount
	for _, s := range parseSettings(value, separators) {
		n, err := model.ParseNumber(s.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		list = append(list, model.Amount{Name: s.Name, Value: n})
	}
	return list, nil
}
