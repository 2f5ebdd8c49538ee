package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"
	"time"
)

// A pack is a slice, usually of structs, in columns: all values of Number, all of Tasks[].State, and so on,
// each column in the encoding that suits its values. Zstandard compresses columns far better than rows, and
// a few values can be read without the others. A pack describes itself: a column has its path and encoding,
// a column of zeros is left out, and a reader ignores columns that its type does not have. Nil and empty
// slices are the same.
//
//	pack    = format count column*
//	column  = path encoding payload     each with its length before it
//	path    = ".Tasks[].Reported*.Prio"
//
// Numbers are varints, mostly differences to the value before. The paths ".Tasks" and ".Reported" hold the
// lengths of slices and the presence of pointers. A time is two columns: its seconds, and ".Time.ns".
const packFormat = 2

// The encodings of columns.
const (
	asInts     = 'i' // differences of whole numbers; lengths, booleans and durations too
	asDecimals = 'd' // digits after the point, a bit for each value (not NaN), scaled numbers
	asFloats   = 'f' // 8 bytes each
	asStrings  = 's' // the distinct strings in order of appearance, then differences of indices into them
)

var errPack = errors.New("packed values are damaged")

// longestPath limits how deep values are nested, because a share tree may contain itself.
const longestPath = 4096

// maxPacked limits the values of one column, so that damaged lengths cannot ask for all memory.
const maxPacked = 1 << 26

// pack packs a slice.
func pack(slice reflect.Value) ([]byte, error) {
	c := coder{out: binary.AppendUvarint([]byte{packFormat}, uint64(slice.Len()))}
	err := c.elements(slice, slice.Len(), 0)
	return c.out, err
}

// unpack sets the elements of a slice to the packed values. The elements must be zero before. A nil slice gets
// new elements. Any other slice must have the length of the packed one.
func unpack(data []byte, slice reflect.Value) error {
	c, n, err := openPack(data)
	if err != nil {
		return err
	}
	if slice.IsNil() && n > 0 {
		slice.Set(reflect.MakeSlice(slice.Type(), n, n))
	}
	if slice.Len() != n {
		return fmt.Errorf("%w: %d instead of %d elements", errPack, n, slice.Len())
	}
	return c.elements(slice, n, 0)
}

// packOne packs a single struct.
func packOne[T any](v *T) ([]byte, error) { return pack(reflect.ValueOf([]T{*v})) }

// unpackOne is the inverse of packOne.
func unpackOne[T any](data []byte) (*T, error) {
	one := make([]T, 1)
	err := unpack(data, reflect.ValueOf(one))
	return &one[0], err
}

// A coder writes columns. After openPack it reads them.
type coder struct {
	out     []byte
	columns map[string]column // nil if the coder writes
}

// A column has the stored values of one path.
type column struct {
	encoding byte
	payload  []byte
}

// openPack finds the columns of a pack of n elements.
func openPack(data []byte) (c *coder, n int, err error) {
	in := input{data: data}
	if in.byte() != packFormat {
		return nil, 0, fmt.Errorf("%w: unknown format", errPack)
	}
	count := in.uvarint()
	if in.bad || count > maxPacked {
		return nil, 0, errPack
	}
	c = &coder{columns: make(map[string]column, 32)}
	for len(in.data) > 0 && !in.bad {
		path := string(in.bytes())
		c.columns[path] = column{in.byte(), in.bytes()}
	}
	if in.bad {
		return nil, 0, errPack
	}
	return c, int(count), nil
}

// elements codes a slice: the elements from index from on, of n packed ones.
func (c *coder) elements(slice reflect.Value, n, from int) error {
	return c.code(values{"", n, from, from + slice.Len(), slice.Index}, slice.Type().Elem())
}

// values are n values of one path. A caller wants only those between two indices; at(0) is the first of them.
type values struct {
	path     string
	n        int
	from, to int
	at       func(i int) reflect.Value
}

func (v values) field(i int, name string) values {
	at := v.at
	v.path += "." + name
	v.at = func(k int) reflect.Value { return at(k).Field(i) }
	return v
}

// wanted makes a function that sets the value at any of the n indices, if it is wanted.
func wanted[T any](v values, set func(to reflect.Value, x T)) func(i int, x T) {
	return func(i int, x T) {
		if i >= v.from && i < v.to {
			set(v.at(i-v.from), x)
		}
	}
}

// code codes a column, or all columns of a type.
func (c *coder) code(v values, t reflect.Type) error {
	if len(v.path) > longestPath {
		return errors.New("values are nested too deep")
	}
	zero := reflect.Zero(t)
	switch {
	case t == timeType:
		return c.times(v)
	case t.Kind() == reflect.Struct:
		return c.fields(v, t)
	case t.Kind() == reflect.Slice && c.columns == nil:
		return c.writeSlices(v, t)
	case t.Kind() == reflect.Slice:
		return c.readSlices(v, t)
	case t.Kind() == reflect.Pointer && c.columns == nil:
		return c.writePointers(v, t)
	case t.Kind() == reflect.Pointer:
		return c.readPointers(v, t)
	case t.Kind() == reflect.String && c.columns == nil:
		c.writeStrings(v)
		return nil
	case t.Kind() == reflect.String:
		return c.readStrings(v)
	case zero.CanFloat() && c.columns == nil:
		c.writeFloats(v)
		return nil
	case zero.CanFloat():
		return c.readFloats(v)
	case t.Kind() == reflect.Bool:
		return c.ints(v, v.path, func(x reflect.Value) int64 { return boolNumber(x.Bool()) },
			func(x reflect.Value, n int64) { x.SetBool(n != 0) })
	case zero.CanInt():
		return c.ints(v, v.path, reflect.Value.Int, reflect.Value.SetInt)
	case zero.CanUint():
		return c.ints(v, v.path, func(x reflect.Value) int64 { return int64(x.Uint()) },
			func(x reflect.Value, n int64) { x.SetUint(uint64(n)) })
	}
	return fmt.Errorf("%s: type %s cannot be packed", v.path, t)
}

func (c *coder) fields(v values, t reflect.Type) error {
	for i, name := range fieldsOf(t) {
		if err := c.code(v.field(i, name), t.Field(i).Type); err != nil {
			return err
		}
	}
	return nil
}

// ints codes values as whole numbers.
func (c *coder) ints(v values, path string, get func(reflect.Value) int64, set func(reflect.Value, int64)) error {
	if c.columns == nil {
		c.writeInts(path, v.n, func(i int) int64 { return get(v.at(i)) })
		return nil
	}
	return c.readInts(path, v.n, wanted(v, set))
}

// times codes seconds since the zero time, then nanoseconds.
func (c *coder) times(v values) error {
	zero := time.Time{}.Unix()
	err := c.ints(v, v.path, func(x reflect.Value) int64 { return x.Interface().(time.Time).Unix() - zero },
		func(x reflect.Value, n int64) { x.Set(reflect.ValueOf(time.Unix(n+zero, 0).UTC())) })
	if err != nil {
		return err
	}
	return c.ints(v, v.path+".ns", func(x reflect.Value) int64 { return int64(x.Interface().(time.Time).Nanosecond()) },
		func(x reflect.Value, n int64) {
			if n != 0 {
				seconds := x.Interface().(time.Time).Unix()
				x.Set(reflect.ValueOf(time.Unix(seconds, n%1e9).UTC()))
			}
		})
}

// write appends a column to the output.
func (c *coder) write(path string, encoding byte, payload []byte) {
	c.out = append(binary.AppendUvarint(c.out, uint64(len(path))), path...)
	c.out = append(c.out, encoding)
	c.out = append(binary.AppendUvarint(c.out, uint64(len(payload))), payload...)
}

// find returns the content of a column. It is nil for a column of zeros.
func (c *coder) find(path string, encodings ...byte) (encoding byte, in *input, err error) {
	found, ok := c.columns[path]
	if !ok {
		return 0, nil, nil
	}
	if !slices.Contains(encodings, found.encoding) {
		return 0, nil, fmt.Errorf("%w: encoding %q", errPack, found.encoding)
	}
	return found.encoding, &input{data: found.payload}, nil
}

func (c *coder) writeInts(path string, n int, at func(int) int64) {
	var payload []byte
	zero, last := true, int64(0)
	for i := range n {
		v := at(i)
		zero = zero && v == 0
		payload = binary.AppendVarint(payload, v-last)
		last = v
	}
	if !zero {
		c.write(path, asInts, payload)
	}
}

func (c *coder) readInts(path string, n int, set func(i int, v int64)) error {
	_, in, err := c.find(path, asInts)
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

// writeSlices writes the lengths, then all elements of all slices as one column.
func (c *coder) writeSlices(v values, t reflect.Type) error {
	c.writeInts(v.path, v.n, func(i int) int64 { return int64(v.at(i).Len()) })
	all := reflect.MakeSlice(t, 0, v.n)
	for i := range v.n {
		all = reflect.AppendSlice(all, v.at(i))
	}
	if all.Len() == 0 {
		return nil
	}
	return c.code(values{v.path + "[]", all.Len(), 0, all.Len(), all.Index}, t.Elem())
}

// readSlices reads one array of all elements, and gives every slice its part.
func (c *coder) readSlices(v values, t reflect.Type) error {
	lengths := make([]int, v.to-v.from)
	before, inside, total := 0, 0, 0
	err := c.readInts(v.path, v.n, func(i int, length int64) {
		n := int(min(max(length, 0), maxPacked))
		total += n
		switch {
		case i < v.from:
			before += n
		case i < v.to:
			lengths[i-v.from] = n
			inside += n
		}
	})
	if err != nil || inside == 0 {
		return err
	}
	if total > maxPacked {
		return errPack
	}
	all := reflect.MakeSlice(t, inside, inside)
	if err := c.code(values{v.path + "[]", total, before, before + inside, all.Index}, t.Elem()); err != nil {
		return err
	}
	start := 0
	for i, n := range lengths {
		if n > 0 {
			v.at(i).Set(all.Slice3(start, start+n, start+n))
			start += n
		}
	}
	return nil
}

// writePointers writes which pointers are not nil. Then it writes the values that they point to as one column.
func (c *coder) writePointers(v values, t reflect.Type) error {
	c.writeInts(v.path, v.n, func(i int) int64 { return boolNumber(!v.at(i).IsNil()) })
	var all []reflect.Value
	for i := range v.n {
		if p := v.at(i); !p.IsNil() {
			all = append(all, p.Elem())
		}
	}
	if len(all) == 0 {
		return nil
	}
	return c.code(values{v.path + "*", len(all), 0, len(all), func(i int) reflect.Value { return all[i] }}, t.Elem())
}

func (c *coder) readPointers(v values, t reflect.Type) error {
	var there []int // wanted pointers that are not nil
	before, total := 0, 0
	err := c.readInts(v.path, v.n, func(i int, is int64) {
		if is == 0 {
			return
		}
		total++
		if i < v.from {
			before++
		} else if i < v.to {
			there = append(there, i-v.from)
		}
	})
	if err != nil || len(there) == 0 {
		return err
	}
	all := reflect.MakeSlice(reflect.SliceOf(t.Elem()), len(there), len(there))
	for k, i := range there {
		v.at(i).Set(all.Index(k).Addr())
	}
	return c.code(values{v.path + "*", total, before, before + len(there), all.Index}, t.Elem())
}

func (c *coder) writeStrings(v values) {
	seen := map[string]int64{}
	var texts, indices []byte
	zero, last := true, int64(0)
	for i := range v.n {
		s := v.at(i).String()
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
		c.write(v.path, asStrings, append(append(payload, texts...), indices...))
	}
}

func (c *coder) readStrings(v values) error {
	_, in, err := c.find(v.path, asStrings)
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
	for i := range v.n {
		last += in.varint()
		if last < 0 || last >= int64(len(texts)) {
			return errPack
		}
		if i < v.from || i >= v.to {
			continue
		}
		if texts[last] == "" {
			texts[last] = string(raw[last])
		}
		v.at(i - v.from).SetString(texts[last])
	}
	return in.done()
}

func (c *coder) writeFloats(v values) {
	floats := make([]float64, v.n)
	zero := true
	for i := range floats {
		floats[i] = v.at(i).Float()
		zero = zero && math.Float64bits(floats[i]) == 0
	}
	if zero {
		return
	}
	if payload, ok := packDecimals(floats); ok {
		c.write(v.path, asDecimals, payload)
		return
	}
	var payload []byte
	for _, f := range floats {
		payload = binary.LittleEndian.AppendUint64(payload, math.Float64bits(f))
	}
	c.write(v.path, asFloats, payload)
}

func (c *coder) readFloats(v values) error {
	encoding, in, err := c.find(v.path, asDecimals, asFloats)
	if in == nil {
		return err
	}
	set := wanted(v, reflect.Value.SetFloat)
	if encoding == asDecimals {
		return unpackDecimals(in, v.n, set)
	}
	for i := range v.n {
		set(i, math.Float64frombits(in.uint64()))
	}
	return in.done()
}

// packDecimals packs numbers that have few digits after the point as whole numbers. ok is false if that would
// change a number.
func packDecimals(floats []float64) (payload []byte, ok bool) {
	digits := 0
	for _, f := range floats {
		for !math.IsNaN(f) && !isDecimal(f, digits) {
			if digits++; digits > maxDigits {
				return nil, false
			}
		}
	}
	payload = append(payload, byte(digits))
	known := make([]byte, (len(floats)+7)/8)
	for i, f := range floats {
		if !math.IsNaN(f) {
			known[i/8] |= 1 << (i % 8)
		}
	}
	payload = append(payload, known...)
	last := int64(0)
	for _, f := range floats {
		if math.IsNaN(f) {
			continue
		}
		if !isDecimal(f, digits) {
			return nil, false
		}
		n := int64(math.Round(f * math.Pow10(digits)))
		payload = binary.AppendVarint(payload, n-last)
		last = n
	}
	return payload, true
}

// unpackDecimals is the inverse of packDecimals.
func unpackDecimals(in *input, n int, set func(i int, f float64)) error {
	scale := math.Pow10(int(in.byte()))
	known := in.take((n + 7) / 8)
	if in.bad {
		return errPack
	}
	last := int64(0)
	for i := range n {
		f := math.NaN()
		if known[i/8]&(1<<(i%8)) != 0 {
			last += in.varint()
			f = float64(last) / scale
		}
		set(i, f)
	}
	return in.done()
}

const maxDigits = 9

// isDecimal reports whether f has at most this number of digits after the point.
func isDecimal(f float64, digits int) bool {
	n := math.Round(f * math.Pow10(digits))
	return math.Abs(n) < 1<<53 && math.Float64bits(float64(int64(n))/math.Pow10(digits)) == math.Float64bits(f)
}

func boolNumber(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

var timeType = reflect.TypeFor[time.Time]()

// fieldNames caches the results of fieldsOf.
var fieldNames sync.Map

// fieldsOf returns the names of a struct type's fields.
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
