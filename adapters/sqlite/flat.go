package sqlite

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"time"
)

// A flat record has the values of a struct one after the other, without their names. Structs inside are flat,
// too. Reading it takes a tenth of the time of a pack. This matters because each question reads the flat
// records of all snapshots.

// appendFlat writes a struct of texts, whole numbers, times and structs of these.
func appendFlat(to []byte, v reflect.Value) []byte {
	switch {
	case v.Type() == timeType:
		t := v.Interface().(time.Time)
		to = binary.AppendVarint(to, t.Unix())
		return binary.AppendUvarint(to, uint64(t.Nanosecond()))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			to = appendFlat(to, v.Field(i))
		}
		return to
	case v.Kind() == reflect.String:
		to = binary.AppendUvarint(to, uint64(v.Len()))
		return append(to, v.String()...)
	case v.CanUint():
		return binary.AppendUvarint(to, v.Uint())
	}
	return binary.AppendVarint(to, v.Int())
}

// texts keeps only one copy of a text that many records have.
type texts map[string]string

func (t texts) keep(b []byte) string {
	if s, known := t[string(b)]; known {
		return s
	}
	s := string(b)
	if len(t) < 10_000 {
		t[s] = s
	}
	return s
}

// readFlat sets a struct to values that appendFlat wrote.
func readFlat(data []byte, v reflect.Value, known texts) error {
	in := input{data: data}
	in.flat(v, known)
	if err := in.done(); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return nil
}

func (in *input) flat(v reflect.Value, known texts) {
	switch {
	case v.Type() == timeType:
		seconds, nanoseconds := in.varint(), in.uvarint()
		*v.Addr().Interface().(*time.Time) = time.Unix(seconds, int64(nanoseconds%1e9)).UTC() // v.Set would allocate
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			in.flat(v.Field(i), known)
		}
	case v.Kind() == reflect.String:
		v.SetString(known.keep(in.bytes()))
	case v.CanUint():
		v.SetUint(in.uvarint())
	default:
		v.SetInt(in.varint())
	}
}
