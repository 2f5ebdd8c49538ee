package trial

import (
	"math"
	"reflect"
	"strings"
	"time"
	"unicode"

	"qprism/cmd/qprism/show"
)

// plain turns a snapshot into values for JSON. Fields get names such as "posix_priority", times are RFC 3339,
// durations are seconds. An unknown value (NaN, no time, no end) is null. Empty fields are left out.
func plain(v any) any { return plainValue(reflect.ValueOf(v)) }

var (
	timeType     = reflect.TypeFor[time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
)

func plainValue(v reflect.Value) any {
	switch v.Type() {
	case timeType:
		return show.Rfc3339(v.Interface().(time.Time))
	case durationType:
		return show.Length(time.Duration(v.Int()))
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return plainValue(v.Elem())
	case reflect.Struct:
		return plainStruct(v)
	case reflect.Slice, reflect.Array:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = plainValue(v.Index(i))
		}
		return list
	case reflect.Float64, reflect.Float32:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return nil
		}
	}
	return v.Interface()
}

func plainStruct(v reflect.Value) map[string]any {
	m := map[string]any{}
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && !v.Field(i).IsZero() {
			m[snake(f.Name)] = plainValue(v.Field(i))
		}
	}
	return m
}

// FieldsAProgramReads lists the fields of a snapshot type that an external program gets as input. All are
// optional.
func FieldsAProgramReads(t reflect.Type) (list []show.Field) {
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() {
			list = append(list, show.Field{StructField: f, Name: snake(f.Name), In: t})
		}
	}
	return list
}

// snake is a Go name as a name in JSON: PosixPriority posix_priority, PERange pe_range, ExecVnode exec_vnode.
func snake(name string) string {
	var b strings.Builder
	letters := []rune(name)
	for i, r := range letters {
		begins := unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(letters[i-1]) || i+1 < len(letters) &&
			unicode.IsLower(letters[i+1]))
		if begins && !(i+2 == len(letters) && letters[i+1] == 's') {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
