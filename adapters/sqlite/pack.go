package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"time"
)

// A pack is a slice of structs in columns: all values of Number, all of Tasks[].State, and so on, each column in the
// encoding that suits its values. Zstandard then finds much to do away with, and reading a few columns of a few hundred
// jobs takes microseconds. A pack describes itself: a column has its path and encoding, a column that is zero
// throughout is left out, and a reader passes over columns that its type does not have. Nil and empty slices are the
// same.
//
//	pack    = format count column*
//	column  = path encoding payload     each with its length before it
//	path    = ".Tasks[].Reported*.Prio"
//
// Numbers are varints, mostly differences to the value before. The paths ".Tasks" and ".Reported" hold the lengths of
// slices and the presence of pointers.
const packFormat = 1

// The encodings of a column.
const (
	asInts     = 'i' // differences of whole numbers; lengths, booleans and durations too
	asDecimals = 'd' // digits after the point, which values are no NaN, then the others as differences of scaled numbers
	asFloats   = 'f' // 8 bytes each
	asStrings  = 's' // the distinct strings in order of appearance, then differences of indices into them
	asTimes    = 't' // differences of seconds since 1970, then nanoseconds
)

var errPack = errors.New("packed values are damaged")

// pack packs a slice of structs; fields, if any, are the only ones that it takes of the elements.
func pack(slice reflect.Value, fields []string) ([]byte, error) {
	p := packer{out: binary.AppendUvarint([]byte{packFormat}, uint64(slice.Len()))}
	for i, field := range fieldsOf(slice.Type().Elem()) {
		if len(fields) > 0 && !slices.Contains(fields, field) {
			continue
		}
		c := column{path: "." + field, n: slice.Len(), to: slice.Len(), at: func(k int) reflect.Value { return slice.Index(k).Field(i) }}
		if err := p.column(c, slice.Type().Elem().Field(i).Type); err != nil {
			return nil, err
		}
	}
	return p.out, nil
}

// unpack sets fields of a slice's elements, which are zero, to what was packed. A nil slice gets its elements, another
// one must have as many as were packed.
func unpack(data []byte, slice reflect.Value) error {
	u, n, err := newUnpacker(data)
	if err != nil {
		return err
	}
	if slice.IsNil() && n > 0 {
		slice.Set(reflect.MakeSlice(slice.Type(), n, n))
	}
	if slice.Len() != n {
		return fmt.Errorf("%w: %d instead of %d elements", errPack, n, slice.Len())
	}
	return u.elements(slice, n, 0)
}

// elements sets a slice to those of the n packed elements that begin at from.
func (u unpacker) elements(slice reflect.Value, n, from int) error {
	for i, field := range fieldsOf(slice.Type().Elem()) {
		c := column{"." + field, n, from, from + slice.Len(), func(k int) reflect.Value { return slice.Index(k).Field(i) }}
		if err := u.column(c, slice.Type().Elem().Field(i).Type); err != nil {
			return fmt.Errorf("%s: %w", c.path, err)
		}
	}
	return nil
}

// A column is n values of one path, of which those from one to another are wanted: at(0) is the first of these.
type column struct {
	path     string
	n        int
	from, to int
	at       func(i int) reflect.Value
}

func (c column) field(i int, name string) column {
	c.path += "." + name
	at := c.at
	c.at = func(k int) reflect.Value { return at(k).Field(i) }
	return c
}

// wants reports whether the value at a place is wanted.
func (c column) wants(i int) bool { return i >= c.from && i < c.to }

// A packer writes columns.
type packer struct {
	out []byte
}

// column writes a column, or the columns that a type is made of.
func (p *packer) column(c column, t reflect.Type) error {
	switch t.Kind() {
	case reflect.Struct:
		if t == timeType {
			p.times(c)
			return nil
		}
		for i, name := range fieldsOf(t) {
			if err := p.column(c.field(i, name), t.Field(i).Type); err != nil {
				return err
			}
		}
		return nil
	case reflect.Slice:
		return p.slices(c, t)
	case reflect.Pointer:
		return p.pointers(c, t)
	case reflect.String:
		p.strings(c)
		return nil
	case reflect.Float32, reflect.Float64:
		p.floats(c)
		return nil
	}
	whole, ok := wholeNumber(t)
	if !ok {
		return fmt.Errorf("%s: type %s cannot be packed", c.path, t)
	}
	p.ints(c.path, c.n, func(i int) int64 { return whole(c.at(i)) })
	return nil
}

// slices writes the lengths, then all elements of all slices as one column.
func (p *packer) slices(c column, t reflect.Type) error {
	p.ints(c.path, c.n, func(i int) int64 { return int64(c.at(i).Len()) })
	all := reflect.MakeSlice(t, 0, c.n)
	for i := range c.n {
		all = reflect.AppendSlice(all, c.at(i))
	}
	if all.Len() == 0 {
		return nil
	}
	return p.column(column{c.path + "[]", all.Len(), 0, all.Len(), all.Index}, t.Elem())
}

// pointers writes which of them are there, then what they point to as one column.
func (p *packer) pointers(c column, t reflect.Type) error {
	p.ints(c.path, c.n, func(i int) int64 { return boolNumber(!c.at(i).IsNil()) })
	var all []reflect.Value
	for i := range c.n {
		if v := c.at(i); !v.IsNil() {
			all = append(all, v.Elem())
		}
	}
	if len(all) == 0 {
		return nil
	}
	return p.column(column{c.path + "*", len(all), 0, len(all), func(i int) reflect.Value { return all[i] }}, t.Elem())
}

func (p *packer) ints(path string, n int, at func(int) int64) {
	var payload []byte
	zero, last := true, int64(0)
	for i := range n {
		v := at(i)
		zero = zero && v == 0
		payload = binary.AppendVarint(payload, v-last)
		last = v
	}
	if !zero {
		p.write(path, asInts, payload)
	}
}

func (p *packer) times(c column) {
	var payload, nanos []byte
	zero, last := true, time.Time{}.Unix()
	for i := range c.n {
		t := c.at(i).Interface().(time.Time)
		zero = zero && t.IsZero()
		payload = binary.AppendVarint(payload, t.Unix()-last)
		nanos = binary.AppendUvarint(nanos, uint64(t.Nanosecond()))
		last = t.Unix()
	}
	if !zero {
		p.write(c.path, asTimes, append(payload, nanos...))
	}
}

func (p *packer) strings(c column) {
	seen := map[string]int64{}
	var texts, indices []byte
	zero, last := true, int64(0)
	for i := range c.n {
		s := c.at(i).String()
		zero = zero && s == ""
		k, ok := seen[s]
		if !ok {
			k = int64(len(seen))
			seen[s] = k
			texts = append(binary.AppendUvarint(texts, uint64(len(s))), s...)
		}
		indices = binary.AppendVarint(indices, k-last)
		last = k
	}
	if !zero {
		payload := binary.AppendUvarint(nil, uint64(len(seen)))
		p.write(c.path, asStrings, append(append(payload, texts...), indices...))
	}
}

func (p *packer) floats(c column) {
	values := make([]float64, c.n)
	zero := true
	for i := range values {
		values[i] = c.at(i).Float()
		zero = zero && math.Float64bits(values[i]) == 0
	}
	if zero {
		return
	}
	if payload, ok := packDecimals(values); ok {
		p.write(c.path, asDecimals, payload)
		return
	}
	var payload []byte
	for _, v := range values {
		payload = binary.LittleEndian.AppendUint64(payload, math.Float64bits(v))
	}
	p.write(c.path, asFloats, payload)
}

// packDecimals packs numbers that were printed with a few digits after the point as whole numbers; ok is false where
// that would change a bit of one.
func packDecimals(values []float64) (payload []byte, ok bool) {
	digits := 0
	for _, v := range values {
		for !math.IsNaN(v) && !isDecimal(v, digits) {
			if digits++; digits > maxDigits {
				return nil, false
			}
		}
	}
	payload = append(payload, byte(digits))
	known := make([]byte, (len(values)+7)/8)
	for i, v := range values {
		if !math.IsNaN(v) {
			known[i/8] |= 1 << (i % 8)
		}
	}
	payload = append(payload, known...)
	last := int64(0)
	for _, v := range values {
		if math.IsNaN(v) {
			continue
		}
		if !isDecimal(v, digits) {
			return nil, false
		}
		n := int64(math.Round(v * powerOf10(digits)))
		payload = binary.AppendVarint(payload, n-last)
		last = n
	}
	return payload, true
}

const maxDigits = 9

func powerOf10(digits int) float64 { return math.Pow10(digits) }

// isDecimal reports whether v is a whole number of units of the last of so many digits after the point.
func isDecimal(v float64, digits int) bool {
	n := math.Round(v * powerOf10(digits))
	return math.Abs(n) < 1<<53 && math.Float64bits(float64(int64(n))/powerOf10(digits)) == math.Float64bits(v)
}

func (p *packer) write(path string, encoding byte, payload []byte) {
	p.out = append(binary.AppendUvarint(p.out, uint64(len(path))), path...)
	p.out = append(p.out, encoding)
	p.out = append(binary.AppendUvarint(p.out, uint64(len(payload))), payload...)
}

// An unpacker reads columns.
type unpacker struct {
	columns map[string]packed
}

type packed struct {
	encoding byte
	payload  []byte
}

// newUnpacker finds the columns of a pack of n elements.
func newUnpacker(data []byte) (u unpacker, n int, err error) {
	in := input{data: data}
	if in.byte() != packFormat {
		return u, 0, fmt.Errorf("%w: unknown format", errPack)
	}
	count := in.uvarint()
	if in.bad || count > maxPacked {
		return u, 0, errPack
	}
	u.columns = make(map[string]packed, 64)
	for len(in.data) > 0 && !in.bad {
		path := string(in.bytes())
		u.columns[path] = packed{in.byte(), in.bytes()}
	}
	if in.bad {
		return u, 0, errPack
	}
	return u, int(count), nil
}

// maxPacked bounds the values of one column, so that damaged lengths cannot ask for all memory.
const maxPacked = 1 << 26

func (u unpacker) column(c column, t reflect.Type) error {
	switch t.Kind() {
	case reflect.Struct:
		if t == timeType {
			return u.times(c)
		}
		for i, name := range fieldsOf(t) {
			f := c.field(i, name)
			if err := u.column(f, t.Field(i).Type); err != nil {
				return fmt.Errorf("%s: %w", f.path, err)
			}
		}
		return nil
	case reflect.Slice:
		return u.slices(c, t)
	case reflect.Pointer:
		return u.pointers(c, t)
	case reflect.String:
		return u.strings(c)
	case reflect.Float32, reflect.Float64:
		return u.floats(c)
	}
	set, ok := setWholeNumber(t)
	if !ok {
		return fmt.Errorf("type %s cannot be packed", t)
	}
	return u.ints(c.path, c.n, func(i int, v int64) {
		if c.wants(i) {
			set(c.at(i-c.from), v)
		}
	})
}

// slices gives every slice its part of one array of all elements.
func (u unpacker) slices(c column, t reflect.Type) error {
	lengths := make([]int, c.to-c.from)
	before, wanted, total := 0, 0, 0
	err := u.ints(c.path, c.n, func(i int, v int64) {
		n := int(min(max(v, 0), maxPacked))
		total += n
		switch {
		case i < c.from:
			before += n
		case i < c.to:
			lengths[i-c.from] = n
			wanted += n
		}
	})
	if err != nil || wanted == 0 {
		return err
	}
	if total > maxPacked {
		return errPack
	}
	all := reflect.MakeSlice(t, wanted, wanted)
	if err := u.column(column{c.path + "[]", total, before, before + wanted, all.Index}, t.Elem()); err != nil {
		return err
	}
	start := 0
	for i, n := range lengths {
		if n > 0 {
			c.at(i).Set(all.Slice3(start, start+n, start+n))
			start += n
		}
	}
	return nil
}

func (u unpacker) pointers(c column, t reflect.Type) error {
	var there []int // wanted ones
	before, total := 0, 0
	err := u.ints(c.path, c.n, func(i int, v int64) {
		if v == 0 {
			return
		}
		total++
		if i < c.from {
			before++
		} else if i < c.to {
			there = append(there, i-c.from)
		}
	})
	if err != nil || len(there) == 0 {
		return err
	}
	all := reflect.MakeSlice(reflect.SliceOf(t.Elem()), len(there), len(there))
	for k, i := range there {
		c.at(i).Set(all.Index(k).Addr())
	}
	return u.column(column{c.path + "*", total, before, before + len(there), all.Index}, t.Elem())
}

// find is the payload of a column, nil where it is zero throughout.
func (u unpacker) find(path string, encodings ...byte) (encoding byte, in *input, err error) {
	p, ok := u.columns[path]
	if !ok {
		return 0, nil, nil
	}
	if !slices.Contains(encodings, p.encoding) {
		return 0, nil, fmt.Errorf("%w: encoding %q", errPack, p.encoding)
	}
	return p.encoding, &input{data: p.payload}, nil
}

func (u unpacker) ints(path string, n int, set func(i int, v int64)) error {
	_, in, err := u.find(path, asInts)
	if in == nil {
		return err
	}
	last := int64(0)
	for i := range n {
		last += in.varint()
		set(i, last)
	}
	return in.done()
}

func (u unpacker) times(c column) error {
	_, in, err := u.find(c.path, asTimes)
	if in == nil {
		return err
	}
	seconds := make([]int64, c.n)
	last := time.Time{}.Unix()
	for i := range seconds {
		last += in.varint()
		seconds[i] = last
	}
	for i, s := range seconds {
		if nanos := int64(in.uvarint() % 1e9); c.wants(i) {
			c.at(i - c.from).Set(reflect.ValueOf(time.Unix(s, nanos).UTC()))
		}
	}
	return in.done()
}

func (u unpacker) strings(c column) error {
	_, in, err := u.find(c.path, asStrings)
	if in == nil {
		return err
	}
	n := in.uvarint()
	if n > uint64(len(in.data)) {
		return errPack
	}
	raw, texts := make([][]byte, n), make([]string, n)
	for i := range raw {
		raw[i] = in.bytes()
	}
	last := int64(0)
	for i := range c.n {
		last += in.varint()
		if last < 0 || last >= int64(len(texts)) {
			return errPack
		}
		if c.wants(i) {
			if texts[last] == "" {
				texts[last] = string(raw[last])
			}
			c.at(i - c.from).SetString(texts[last])
		}
	}
	return in.done()
}

func (u unpacker) floats(c column) error {
	encoding, in, err := u.find(c.path, asDecimals, asFloats)
	if in == nil {
		return err
	}
	if encoding == asFloats {
		for i := range c.n {
			if bits := in.uint64(); c.wants(i) {
				c.at(i - c.from).SetFloat(math.Float64frombits(bits))
			}
		}
		return in.done()
	}
	scale := powerOf10(int(in.byte()))
	known := in.take((c.n + 7) / 8)
	if in.bad {
		return errPack
	}
	last := int64(0)
	for i := range c.n {
		v := math.NaN()
		if known[i/8]&(1<<(i%8)) != 0 {
			last += in.varint()
			v = float64(last) / scale
		}
		if c.wants(i) {
			c.at(i - c.from).SetFloat(v)
		}
	}
	return in.done()
}

// wholeNumber returns the function that makes a number of a value of an integer or boolean type.
func wholeNumber(t reflect.Type) (func(reflect.Value) int64, bool) {
	zero := reflect.Zero(t)
	switch {
	case zero.CanInt():
		return reflect.Value.Int, true
	case zero.CanUint():
		return func(v reflect.Value) int64 { return int64(v.Uint()) }, true
	case t.Kind() == reflect.Bool:
		return func(v reflect.Value) int64 { return boolNumber(v.Bool()) }, true
	}
	return nil, false
}

// setWholeNumber returns the inverse of wholeNumber's function.
func setWholeNumber(t reflect.Type) (func(reflect.Value, int64), bool) {
	zero := reflect.Zero(t)
	switch {
	case zero.CanInt():
		return reflect.Value.SetInt, true
	case zero.CanUint():
		return func(v reflect.Value, n int64) { v.SetUint(uint64(n)) }, true
	case t.Kind() == reflect.Bool:
		return func(v reflect.Value, n int64) { v.SetBool(n != 0) }, true
	}
	return nil, false
}

func boolNumber(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
