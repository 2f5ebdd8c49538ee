package sqlite

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A body is the JSON form of one object of the model. Fields have their Go names, in the order of the type; a field
// that is zero or empty is left out, so nil and empty slices are the same. Strings are escaped (text.go); a number that
// is none is null, an infinite one 9e999; a duration is nanoseconds; a time is RFC 3339 in UTC, or
// "@seconds.nanoseconds" since 1970 outside the years 0 to 9999.

var timeType = reflect.TypeFor[time.Time]()

// appendBody appends the body of v, without the struct fields that skip names.
func appendBody(dst []byte, v reflect.Value, skip []string) ([]byte, error) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == timeType {
			return appendTime(dst, v.Interface().(time.Time)), nil
		}
		return appendFields(dst, v, skip)
	case reflect.Slice:
		return appendElements(dst, v)
	case reflect.Pointer:
		if v.IsNil() {
			return nil, errors.New("a nil pointer has no JSON form")
		}
		return appendBody(dst, v.Elem(), nil)
	case reflect.String:
		return appendString(dst, v.String()), nil
	case reflect.Bool:
		return strconv.AppendBool(dst, v.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(dst, v.Int(), 10), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.AppendUint(dst, v.Uint(), 10), nil
	case reflect.Float32, reflect.Float64:
		return appendFloat(dst, v.Float()), nil
	}
	return nil, fmt.Errorf("type %s has no JSON form", v.Type())
}

func appendFields(dst []byte, v reflect.Value, skip []string) ([]byte, error) {
	var err error
	dst = append(dst, '{')
	start := len(dst)
	for i, field := range fieldsOf(v.Type()) {
		f := v.Field(i)
		if isEmpty(f) || slices.Contains(skip, field) {
			continue
		}
		if len(dst) > start {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), field...), '"', ':')
		if dst, err = appendBody(dst, f, nil); err != nil {
			return nil, fmt.Errorf("%s: %w", field, err)
		}
	}
	return append(dst, '}'), nil
}

func appendElements(dst []byte, v reflect.Value) ([]byte, error) {
	var err error
	dst = append(dst, '[')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = appendBody(dst, v.Index(i), nil); err != nil {
			return nil, err
		}
	}
	return append(dst, ']'), nil
}

func appendString(dst []byte, s string) []byte {
	s = escape(s)
	dst = append(dst, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < ' ':
			dst = fmt.Appendf(dst, `\u%04x`, c)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

func appendFloat(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "null"...)
	case math.IsInf(f, 1):
		return append(dst, "9e999"...)
	case math.IsInf(f, -1):
		return append(dst, "-9e999"...)
	}
	return strconv.AppendFloat(dst, f, 'g', -1, 64)
}

func appendTime(dst []byte, t time.Time) []byte {
	t = t.UTC()
	if y := t.Year(); y < 0 || y > 9999 {
		return fmt.Appendf(dst, `"@%d.%09d"`, t.Unix(), t.Nanosecond())
	}
	dst = append(dst, '"')
	dst = t.AppendFormat(dst, time.RFC3339Nano)
	return append(dst, '"')
}

// isEmpty reports whether a body leaves the field out.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice:
		return v.Len() == 0
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(v.Float()) == 0 // -0 is a value
	case reflect.Struct:
		if v.Type() == timeType {
			return v.Interface().(time.Time).IsZero()
		}
		for i := range v.NumField() {
			if !isEmpty(v.Field(i)) {
				return false
			}
		}
		return true
	}
	return v.IsZero()
}

// readBody sets v, which is zero, to what a body says. Keys that the type does not have are passed over.
func readBody(body []byte, v reflect.Value) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var x any
	if err := d.Decode(&x); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("text after the JSON value")
	}
	return assign(v, x)
}

// assign sets v to a decoded JSON value.
func assign(v reflect.Value, x any) error {
	switch x := x.(type) {
	case map[string]any:
		return assignFields(v, x)
	case []any:
		return assignElements(v, x)
	case string:
		return assignString(v, x)
	case json.Number:
		return assignNumber(v, x.String())
	case bool:
		if v.Kind() == reflect.Bool {
			v.SetBool(x)
			return nil
		}
	case nil:
		if v.CanFloat() {
			v.SetFloat(math.NaN())
			return nil
		}
	}
	return fmt.Errorf("%v for a %s", x, v.Type())
}

func assignFields(v reflect.Value, x map[string]any) error {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return fmt.Errorf("an object for a %s", v.Type())
	}
	for i, field := range fieldsOf(v.Type()) {
		if y, ok := x[field]; ok {
			if err := assign(v.Field(i), y); err != nil {
				return fmt.Errorf("%s: %w", field, err)
			}
		}
	}
	return nil
}

func assignElements(v reflect.Value, x []any) error {
	if v.Kind() != reflect.Slice {
		return fmt.Errorf("an array for a %s", v.Type())
	}
	v.Set(reflect.MakeSlice(v.Type(), len(x), len(x)))
	for i, y := range x {
		if err := assign(v.Index(i), y); err != nil {
			return err
		}
	}
	return nil
}

func assignString(v reflect.Value, s string) error {
	if v.Kind() == reflect.String {
		v.SetString(unescape(s))
		return nil
	}
	if v.Type() != timeType {
		return fmt.Errorf("%q for a %s", s, v.Type())
	}
	t, err := parseTime(s)
	v.Set(reflect.ValueOf(t))
	return err
}

func parseTime(s string) (time.Time, error) {
	unix, ok := strings.CutPrefix(s, "@")
	if !ok {
		t, err := time.Parse(time.RFC3339Nano, s)
		return t.UTC(), err
	}
	seconds, nanoseconds, _ := strings.Cut(unix, ".")
	sec, err1 := strconv.ParseInt(seconds, 10, 64)
	nsec, err2 := strconv.ParseInt(nanoseconds, 10, 64)
	return time.Unix(sec, nsec).UTC(), errors.Join(err1, err2)
}

func assignNumber(v reflect.Value, s string) error {
	switch {
	case v.CanInt():
		n, err := strconv.ParseInt(s, 10, v.Type().Bits())
		v.SetInt(n)
		return err
	case v.CanUint():
		n, err := strconv.ParseUint(s, 10, v.Type().Bits())
		v.SetUint(n)
		return err
	case v.CanFloat():
		f, err := strconv.ParseFloat(s, 64)
		if errors.Is(err, strconv.ErrRange) {
			err = nil // infinite
		}
		v.SetFloat(f)
		return err
	}
	return fmt.Errorf("%s for a %s", s, v.Type())
}

// fieldNames remembers what fieldsOf computed.
var fieldNames sync.Map

// fieldsOf is the names of a struct type's fields.
func fieldsOf(t reflect.Type) []string {
	if names, ok := fieldNames.Load(t); ok {
		return names.([]string)
	}
	names := make([]string, t.NumField())
	for i := range names {
		names[i] = t.Field(i).Name
	}
	fieldNames.Store(t, names)
	return names
}
