package sqlite

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"time"
)

// What a cluster prints is the same few lines over and over with other numbers in them, and the numbers of one line are
// close to those of the line like it before. The lines form of a text takes that apart: the distinct lines with marks
// in place of numbers (shapes), which shape each line has, and for each number of a shape its values, as differences to
// the one before. Compressed, qstat's XML takes a third of what Zstandard alone makes of it.
//
//	lines  = count of shapes, shapes, count of lines, indices, numbers
//	shape  = length text
//	index  = 0 for the shape that no line had before, else 1 + the shape's place
//	number = varint, all numbers of the first shape's first mark, then of its second mark, …
//
// A mark is one of the control characters below; texts that hold them stay as they are.
const (
	markNumber  = 1 // digits without leading zeros
	markPadded  = 2 // digits with leading zeros; ' ' + how many digits follows
	markDecimal = 3 // digits "." digits; ' ' + how many digits after the point follows
	markTime    = 4 // 2026-11-21T08:12:16, seconds since 1970 if that is UTC
	lastMark    = markTime

	mostDigits = 18 // of a number, so that it fits an int64
	timeLayout = "2006-01-02T15:04:05"
)

// A shape is a line without its numbers, and the values of each mark in it.
type shape struct {
	text   string
	values [][]int64
}

// toLines appends to dst the lines form of a text; ok is false where it has none or would not be shorter.
func toLines(dst, text []byte) (lines []byte, ok bool) {
	for mark := byte(markNumber); mark <= lastMark; mark++ {
		if bytes.IndexByte(text, mark) >= 0 {
			return dst, false
		}
	}
	var shapes []shape
	var indices []byte
	byText := map[string]int{}
	count := 0
	line := shapedLine{}
	for rest := text; len(rest) > 0; count++ {
		rest = line.read(rest)
		k, known := byText[string(line.shape)]
		if known {
			indices = binary.AppendUvarint(indices, uint64(k)+1)
		} else {
			k = len(shapes)
			shapes = append(shapes, shape{string(line.shape), make([][]int64, len(line.values))})
			byText[shapes[k].text] = k
			indices = append(indices, 0)
		}
		for i, v := range line.values {
			shapes[k].values[i] = append(shapes[k].values[i], v)
		}
	}
	lines = binary.AppendUvarint(dst, uint64(len(shapes)))
	for _, s := range shapes {
		lines = append(binary.AppendUvarint(lines, uint64(len(s.text))), s.text...)
	}
	lines = append(binary.AppendUvarint(lines, uint64(count)), indices...)
	for _, s := range shapes {
		for _, values := range s.values {
			last := int64(0)
			for _, v := range values {
				lines = binary.AppendVarint(lines, v-last)
				last = v
			}
		}
	}
	return lines, len(lines)-len(dst) < len(text)
}

// A shapedLine is one line taken apart.
type shapedLine struct {
	shape  []byte
	values []int64
}

// read takes the first line of a text apart and returns the rest.
func (l *shapedLine) read(text []byte) (rest []byte) {
	l.shape, l.values = l.shape[:0], l.values[:0]
	end := bytes.IndexByte(text, '\n') + 1
	if end == 0 {
		end = len(text)
	}
	for s := text[:end]; len(s) > 0; {
		n := 0
		for n < len(s) && !isDigit(s[n]) {
			n++
		}
		l.shape = append(l.shape, s[:n]...)
		if s = s[n:]; len(s) > 0 {
			s = s[l.number(s):]
		}
	}
	return text[end:]
}

// number takes the number that s begins with, and returns how long it is.
func (l *shapedLine) number(s []byte) int {
	if seconds, ok := readTime(s); ok {
		l.shape, l.values = append(l.shape, markTime), append(l.values, seconds)
		return len(timeLayout)
	}
	value, n := int64(0), 0
	for ; n < len(s) && n < mostDigits && isDigit(s[n]); n++ {
		value = 10*value + int64(s[n]-'0')
	}
	if s[0] == '0' && n > 1 {
		l.shape, l.values = append(l.shape, markPadded, ' '+byte(n)), append(l.values, value)
		return n
	}
	if n+1 >= len(s) || s[n] != '.' || !isDigit(s[n+1]) || n == mostDigits {
		l.shape, l.values = append(l.shape, markNumber), append(l.values, value)
		return n
	}
	point := n
	for n++; n < len(s) && n <= mostDigits && isDigit(s[n]); n++ {
		value = 10*value + int64(s[n]-'0')
	}
	l.shape, l.values = append(l.shape, markDecimal, ' '+byte(n-point-1)), append(l.values, value)
	return n
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// readTime reads a time that s begins with, if printing it gives the same again.
func readTime(s []byte) (seconds int64, ok bool) {
	if len(s) < len(timeLayout) || s[4] != '-' || s[10] != 'T' {
		return 0, false
	}
	t, err := time.Parse(timeLayout, string(s[:len(timeLayout)]))
	return t.Unix(), err == nil
}

// fromLines appends to dst, which is empty, the text that a lines form was made of; size is the text's. On an error it
// returns nil.
func fromLines(dst, lines []byte, size int) ([]byte, error) {
	in := input{data: lines}
	shapes := make([]shape, 0, min(in.uvarint(), uint64(len(lines))))
	for range cap(shapes) {
		shapes = append(shapes, shape{text: string(in.bytes())})
	}
	order := make([]int, 0, min(in.uvarint(), uint64(len(lines))))
	counts := make([]int, len(shapes))
	fresh := 0
	for range cap(order) {
		k := int(min(in.uvarint(), uint64(len(lines)))) - 1
		if k < 0 {
			k = fresh
			fresh++
		}
		if k >= len(shapes) || in.bad {
			return nil, errPack
		}
		order = append(order, k)
		counts[k]++
	}
	for k := range shapes {
		shapes[k].readValues(&in, counts[k])
	}
	if err := in.done(); err != nil {
		return nil, err
	}
	for _, k := range order {
		if dst = shapes[k].append(dst); len(dst) > size {
			return nil, errPack
		}
	}
	return dst, nil
}

// readValues reads so many values of each mark.
func (s *shape) readValues(in *input, count int) {
	for i := 0; i < len(s.text); i++ {
		if c := s.text[i]; c < markNumber || c > lastMark {
			continue
		}
		values := make([]int64, min(count, len(in.data)))
		last := int64(0)
		for j := range values {
			last += in.varint()
			values[j] = last
		}
		if in.bad = in.bad || len(values) < count; in.bad {
			return
		}
		s.values = append(s.values, values)
	}
}

// append appends the shape's next line: it takes the first value of each mark.
func (s *shape) append(dst []byte) []byte {
	mark := 0
	for i := 0; i < len(s.text); i++ {
		c := s.text[i]
		if c < markNumber || c > lastMark {
			dst = append(dst, c)
			continue
		}
		value := s.values[mark][0]
		s.values[mark] = s.values[mark][1:]
		mark++
		digits := 0
		if (c == markPadded || c == markDecimal) && i+1 < len(s.text) {
			i++
			digits = int(s.text[i] - ' ')
		}
		dst = appendNumber(dst, c, value, digits)
	}
	return dst
}

func appendNumber(dst []byte, mark byte, value int64, digits int) []byte {
	switch mark {
	case markPadded:
		return appendPadded(dst, value, digits)
	case markDecimal:
		start := len(dst)
		dst = appendPadded(dst, value, digits+1)
		point := max(len(dst)-digits, start)
		return slices.Insert(dst, point, '.')
	case markTime:
		return time.Unix(value, 0).UTC().AppendFormat(dst, timeLayout)
	}
	return strconv.AppendInt(dst, value, 10)
}

func appendPadded(dst []byte, value int64, digits int) []byte {
	start := len(dst)
	dst = strconv.AppendInt(dst, value, 10)
	for len(dst)-start < digits {
		dst = slices.Insert(dst, start, '0')
	}
	return dst
}
