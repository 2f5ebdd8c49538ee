package sqlite

import (
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"qprism/engine/model"
)

// randomValue draws a value of any type of the model, all its fields, so that a field that the store forgets is found
// on the day it is added to the model.
func randomValue(t *rapid.T, typ reflect.Type, depth int) reflect.Value {
	v := reflect.New(typ).Elem()
	switch {
	case typ == timeType:
		v.Set(reflect.ValueOf(randomTime(t)))
	case typ == reflect.TypeFor[*model.ShareNode]() && depth > 4:
	case typ.Kind() == reflect.Struct:
		for i := range typ.NumField() {
			v.Field(i).Set(randomValue(t, typ.Field(i).Type, depth+1))
		}
	case typ.Kind() == reflect.Slice:
		if n := rapid.IntRange(-1, max(0, 3-depth/2)).Draw(t, "length"); n >= 0 {
			v.Set(reflect.MakeSlice(typ, n, n))
			for i := range n {
				v.Index(i).Set(randomPresent(t, typ.Elem(), depth+1))
			}
		}
	case typ.Kind() == reflect.Pointer:
		if rapid.Bool().Draw(t, "there") {
			v.Set(randomPresent(t, typ, depth))
		}
	case typ.Kind() == reflect.String:
		v.SetString(randomString(t))
	case typ.Kind() == reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case v.CanFloat():
		v.SetFloat(randomFloat(t)) // rounded to a float32 where it is one
	case v.CanInt():
		v.SetInt(rapid.Int64().Draw(t, "int"))
	case v.CanUint():
		v.SetUint(uint64(rapid.Uint32().Draw(t, "uint")))
	default:
		t.Fatalf("no random %s", typ)
	}
	return v
}

// randomPresent draws a value that is no nil pointer.
func randomPresent(t *rapid.T, typ reflect.Type, depth int) reflect.Value {
	if typ.Kind() != reflect.Pointer {
		return randomValue(t, typ, depth)
	}
	p := reflect.New(typ.Elem())
	p.Elem().Set(randomValue(t, typ.Elem(), depth+1))
	return p
}

func randomString(t *rapid.T) string {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", "qw", "all.q@node01", "\x00", "a\x00b", "\xff\xfe", "\xed\xa0\x80", "<&\"'\\\n\t\r",
			string(rune(0x10FFFF)), "\u2028", "Größe", "@0", "1"}),
		rapid.String(),
		rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOfN(rapid.Byte(), 0, 8).Draw(t, "bytes")) }),
	).Draw(t, "string")
}

func randomFloat(t *rapid.T) float64 {
	return rapid.OneOf(
		rapid.SampledFrom([]float64{0, math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), math.MaxFloat64,
			math.SmallestNonzeroFloat64, 0.1, 1 << 53, 1<<53 + 2, -0.55167}),
		rapid.Float64(),
		rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.Int32().Draw(t, "digits")) / 1e5 }),
	).Draw(t, "float")
}

func randomTime(t *rapid.T) time.Time {
	return rapid.OneOf(
		rapid.SampledFrom([]time.Time{{}, time.Unix(0, 0), time.Unix(-1, 1), time.Unix(253402300800, 0),
			time.Unix(1<<40, 999999999)}),
		rapid.Custom(func(t *rapid.T) time.Time {
			return time.Unix(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "seconds"),
				rapid.Int64Range(0, 999999999).Draw(t, "nanoseconds"))
		}),
	).Draw(t, "time")
}

// randomSnapshot draws a snapshot.
func randomSnapshot(t *rapid.T) *model.Snapshot {
	s := randomValue(t, reflect.TypeFor[model.Snapshot](), 0).Interface().(model.Snapshot)
	s.Cluster = "one " + string(s.System) // a cluster of a system that has another one would be refused
	s.Identity = model.Identity{System: s.System, Root: "/opt/sge", Config: fmt.Sprint(randomString(t) != ""),
		Given: s.Cluster}
	return &s
}

// sameSnapshot fails where two snapshots differ but in what the package documents: nil for empty, and which NaN.
func sameSnapshot(tb testing.TB, what string, got, want *model.Snapshot) {
	tb.Helper()
	if equal(reflect.ValueOf(want), reflect.ValueOf(got)) { // much faster than cmp.Diff, which says what differs
		return
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs(), cmpopts.EquateEmpty()); diff != "" {
		tb.Fatalf("%s differs (-imported +loaded):\n%s", what, diff)
	}
}

// equal is reflect.DeepEqual, where NaN is NaN, an empty list is one that is missing, and moments are what they mean.
func equal(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return a.Float() == b.Float() || math.IsNaN(a.Float()) && math.IsNaN(b.Float())
	case reflect.Pointer:
		return a.Pointer() == b.Pointer() || !a.IsNil() && !b.IsNil() && equal(a.Elem(), b.Elem())
	case reflect.Slice:
		for i := range min(a.Len(), b.Len()) {
			if !equal(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return a.Len() == b.Len()
	case reflect.Struct:
		if at, is := a.Interface().(time.Time); is {
			return at.Equal(b.Interface().(time.Time))
		}
		for i := range a.NumField() {
			if !equal(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

// sameBits reports whether two values are the same to the last bit, but for nil or empty slices and NaN payloads; cmp
// takes -0 for 0.
func sameBits(a, b any) bool {
	return cmp.Equal(a, b, cmpopts.EquateEmpty(), cmp.Comparer(func(x, y float64) bool {
		return math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
	}), cmp.Comparer(func(x, y float32) bool {
		return math.Float32bits(x) == math.Float32bits(y) || x != x && y != y
	}))
}
