package gridengine

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

// fields are the keys of a kind of object, each with what reads its value.
type fields map[string]func(value string) error

var (
	errRange  = errors.New("out of range")
	errTwice  = errors.New("given twice")
	errSyntax = strconv.ErrSyntax
)

// fill reads the lines of an object: a key that is not known is kept in the snapshot's list, a required one must be
// there. Where a line cannot be read, the whole object is errLeftOut: what is known of it would be taken for all of it.
func (c *configReader) fill(o object, known fields, required ...string) (err error) {
	seen := map[string]bool{}
	for _, l := range o.rest {
		key, value := l.pair()
		read, ok := known[key]
		switch {
		case !ok:
			c.Unknown(o.file, l.number, key, value)
			continue
		case seen[key]:
			read = func(string) error { return errTwice }
		}
		seen[key] = true
		if readError := read(value); readError != nil {
			c.LeaveOut(o.file, l.number, l.text, fmt.Errorf("%s: %w", key, readError))
			err = errLeftOut
		}
	}
	for _, key := range required {
		if !seen[key] {
			c.LeaveOut(o.file, o.line.number, o.line.text, fmt.Errorf("%s: %w", key, errMissing))
			err = errLeftOut
		}
	}
	return err
}

// errLeftOut says of an object that the snapshot lists it as left out.
var errLeftOut = errors.New("left out")

// What reads one value. NONE is the empty value of texts and lists.

func text(p *string) func(string) error {
	return func(value string) error {
		if *p = value; value == "" {
			return errMissing
		}
		return nil
	}
}

func optional(p *string) func(string) error {
	return func(value string) error {
		if *p = value; isNone(value) {
			*p = ""
		}
		return nil
	}
}

func list(p *[]string) func(string) error {
	return func(value string) error {
		*p = members(value)
		return nil
	}
}

func settings(p *[]model.Setting) func(string) error {
	return func(value string) error {
		*p = parseSettings(value, ","+blanks) // blanks part them in the files of classic spooling
		return nil
	}
}

// also keeps a value among others that have no field of their own.
func also(p *[]model.Setting, key string) func(string) error {
	return func(value string) error {
		*p = append(*p, model.Setting{Name: key, Value: value})
		return nil
	}
}

func amounts(p *[]model.Amount) func(string) error {
	return func(value string) (err error) {
		*p, err = parseAmounts(value, ","+blanks)
		return err
	}
}

func decimal(p *float64) func(string) error {
	return func(value string) (err error) {
		*p, err = model.ParseNumber(value)
		return err
	}
}

// count reads a whole number of 32 bits without sign, as the master keeps most numbers.
func count(p *uint32) func(string) error {
	return func(value string) error {
		n, err := parseWhole(value, 0, math.MaxUint32)
		*p = uint32(n)
		return err
	}
}

func integer(p *int) func(string) error {
	return func(value string) (err error) {
		*p, err = parseWhole(value, math.MinInt32, math.MaxUint32)
		return err
	}
}

func boolean(p *bool) func(string) error {
	return func(value string) (err error) {
		*p, err = model.ParseBool(value)
		return err
	}
}

func interval(p *time.Duration) func(string) error {
	return func(value string) (err error) {
		*p, err = model.ParseInterval(value)
		return err
	}
}

// hours reads a time that is given in whole hours.
func hours(p *time.Duration) func(string) error {
	return func(value string) error {
		n, err := parseWhole(value, 0, int(model.Forever/time.Hour))
		*p = time.Duration(n) * time.Hour
		return err
	}
}

// moment reads a Unix time; 0 is none.
func moment(p *time.Time) func(string) error {
	return func(value string) (err error) {
		*p, err = parseUnix(value)
		return err
	}
}

func parseWhole(value string, least, most int) (int, error) {
	n, err := model.ParseNumber(value)
	switch {
	case err != nil:
		return 0, err
	case n != math.Trunc(n):
		return 0, fmt.Errorf("%q: not a whole number: %w", value, errSyntax)
	case n < float64(least) || n > float64(most):
		return 0, fmt.Errorf("%q: %w", value, errRange)
	}
	return int(n), nil
}

// parseSettings reads "name=value,…", where separators are what parts the settings; NONE is the empty list, and a name
// alone has no value.
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
