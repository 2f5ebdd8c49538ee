package fields

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"qprism/engine/model"
)

// Errors for values that cannot be read.
var (
	ErrMissing = errors.New("missing")
	ErrRange   = errors.New("out of range")
	ErrSyntax  = strconv.ErrSyntax
)

// Parsed makes an entry that reads a value with a function.
func Parsed[T any](into *T, parse func(string) (T, error)) Field {
	return Field{Read: func(value string) (err error) {
		*into, err = parse(value)
		return err
	}}
}

// Converted is Parsed for a function that has no error.
func Converted[T any](into *T, of func(string) T) Field {
	return Field{Read: func(value string) error {
		*into = of(value)
		return nil
	}}
}

// Text makes an entry that keeps a text as it is. An empty text is an error.
func Text(into *string) Field {
	f := Parsed(into, func(value string) (string, error) {
		if value == "" {
			return "", ErrMissing
		}
		return value, nil
	})
	return f.Holding(Names)
}

// AsSetting makes an entry that adds name and value to a list of settings. It is for values without a field in the
// model.
func AsSetting(into *[]model.Setting, name string) Field {
	return Field{Read: func(value string) error {
		*into = append(*into, model.Setting{Name: name, Value: value})
		return nil
	}}
}

// Number makes an entry that reads a number with a multiplier, or INFINITY.
func Number(into *float64) Field { return Parsed(into, model.ParseNumber) }

// Bool makes an entry that reads TRUE, FALSE and their short forms.
func Bool(into *bool) Field { return Parsed(into, model.ParseBool) }

// Whole makes an entry that reads a whole number between least and most.
func Whole[T ~int | ~int64 | ~uint32](into *T, least, most int) Field {
	return Parsed(into, func(value string) (T, error) {
		n, err := ParseWhole(value, least, most)
		return T(n), err
	})
}

// Count makes an entry that reads an unsigned 32-bit number.
func Count(into *uint32) Field { return Whole(into, 0, math.MaxUint32) }

// ParseWhole reads a whole number between least and most, with an optional multiplier.
func ParseWhole(value string, least, most int) (int, error) {
	n, err := model.ParseNumber(value)
	switch {
	case err != nil:
		return 0, err
	case n != math.Trunc(n):
		return 0, fmt.Errorf("%q: not a whole number: %w", value, ErrSyntax)
	case n < float64(least) || n > float64(most):
		return 0, fmt.Errorf("%q: %w", value, ErrRange)
	}
	return int(n), nil
}
