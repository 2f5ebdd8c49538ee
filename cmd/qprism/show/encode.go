package show

import (
	"bytes"
	"encoding"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"qprism/engine/model"
)

// Marshal encodes answers as JSON by the tags of encoding/json. In addition, a moment is RFC 3339 in UTC, a
// duration is in seconds, and an unknown value (no moment, no end, NaN) is null. A list is never null.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	err := encode(&b, reflect.ValueOf(v))
	return b.Bytes(), err
}

var (
	momentType    = reflect.TypeFor[time.Time]()
	lengthType    = reflect.TypeFor[time.Duration]()
	marshalerType = reflect.TypeFor[json.Marshaler]()
	textType      = reflect.TypeFor[encoding.TextMarshaler]()
)

func encode(b *bytes.Buffer, v reflect.Value) error {
	if !v.IsValid() {
		return plainly(b, nil)
	}
	switch t := v.Type(); {
	case t == momentType:
		return encode(b, reflect.ValueOf(Rfc3339(v.Interface().(time.Time))))
	case t == lengthType:
		return encode(b, reflect.ValueOf(Length(time.Duration(v.Int()))))
	case v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface:
		return encode(b, v.Elem())
	case t.NumMethod() > 0 && (t.Implements(marshalerType) || t.Implements(textType)):
		return plainly(b, v.Interface())
	}
	switch v.Kind() {
	case reflect.String:
		return encodeText(b, v.String())
	case reflect.Int, reflect.Int64, reflect.Int32:
		b.Write(strconv.AppendInt(b.AvailableBuffer(), v.Int(), 10))
		return nil
	case reflect.Struct:
		return encodeStruct(b, v)
	case reflect.Slice, reflect.Array:
		return encodeList(b, v)
	case reflect.Map:
		return encodeMap(b, v)
	case reflect.Float64, reflect.Float32:
		switch f := v.Float(); {
		case math.IsNaN(f) || math.IsInf(f, 0):
			return plainly(b, nil)
		case f == math.Trunc(f) && f != 0 && math.Abs(f) < 1e15:
			return encode(b, reflect.ValueOf(int64(f)))
		}
	}
	return plainly(b, v.Interface())
}

// encodeText writes letters that need no escape as they are.
func encodeText(b *bytes.Buffer, text string) error {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f || strings.IndexByte(`"\<>&`, c) >= 0 {
			return plainly(b, text)
		}
	}
	b.WriteByte('"')
	b.WriteString(text)
	b.WriteByte('"')
	return nil
}

func plainly(b *bytes.Buffer, v any) error {
	text, err := json.Marshal(v)
	b.Write(text)
	return err
}

// Length returns a duration in seconds. It is nil if there is no end.
func Length(d time.Duration) any {
	if d == model.Forever {
		return nil
	}
	return d.Seconds()
}

func encodeStruct(b *bytes.Buffer, v reflect.Value) error {
	b.WriteByte('{')
	first := true
	for _, f := range FieldsOf(v.Type()) {
		value, err := v.FieldByIndexErr(f.index)
		if err != nil || f.omits(value) { // an embedded answer that is not there has no fields
			continue
		}
		if !first {
			b.WriteByte(',')
		}
		first = false
		b.WriteByte('"')
		b.WriteString(f.Name)
		b.WriteString(`":`)
		if err := encode(b, value); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

func encodeList(b *bytes.Buffer, v reflect.Value) error {
	b.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := encode(b, v.Index(i)); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	return nil
}

// encodeMap sorts by the keys, which are texts.
func encodeMap(b *bytes.Buffer, v reflect.Value) error {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	b.WriteByte('{')
	for i, k := range keys {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := plainly(b, k.String()); err != nil {
			return err
		}
		b.WriteByte(':')
		if err := encode(b, v.MapIndex(k)); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

// A Field is a JSON field of a type.
type Field struct {
	reflect.StructField
	Name   string // in JSON
	Empty  bool   // left out if the value is empty
	Absent bool   // left out if the value is empty, or with an embedded struct
	In     reflect.Type
	index  []int
}

func (f *Field) omits(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String:
		return f.Empty && v.Len() == 0
	}
	return f.Empty && v.IsZero()
}

var fieldsOfTypes sync.Map // of reflect.Type, as FieldsOf found them

// FieldsOf lists the JSON fields of a type, in order. Fields of an embedded struct stand in its place, unless
// the type has a field with the same name.
func FieldsOf(t reflect.Type) []Field {
	if known, ok := fieldsOfTypes.Load(t); ok {
		return known.([]Field)
	}
	own := map[string]bool{}
	for i := range t.NumField() {
		own[nameOf(t.Field(i))] = !t.Field(i).Anonymous
	}
	var list []Field
	for i := range t.NumField() {
		f := t.Field(i)
		_, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch name := nameOf(f); {
		case name == "-" || !f.IsExported() && !f.Anonymous:
		case name == "" && f.Anonymous:
			list = append(list, embedded(f, own)...)
		default:
			empty := strings.HasPrefix(options, "omit")
			list = append(list, Field{f, name, empty, empty, t, f.Index})
		}
	}
	fieldsOfTypes.Store(t, list)
	return list
}

func embedded(f reflect.StructField, own map[string]bool) (list []Field) {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for _, below := range FieldsOf(t) {
		if !own[below.Name] {
			below.index = append(slices.Clone(f.Index), below.index...)
			below.Absent = below.Absent || strings.Contains(f.Tag.Get("json"), ",omit")
			list = append(list, below)
		}
	}
	return list
}

// nameOf returns a field's name in JSON. It is empty for an embedded field.
func nameOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "" && !f.Anonymous {
		return f.Name
	}
	return name
}
