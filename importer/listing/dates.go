package listing

import (
	"bytes"
	"regexp"
)

// dated are tables with dates such as 11/21/2026, as Grid Engine prints them. The qstat of some sites prints
// the day first.
type dated interface{ dated() }

func (*shortQstat) dated() {}
func (*fullQstat) dated()  {}

// slashDate matches a date before a time of day. shortDate matches one with single digits.
var (
	slashDate = regexp.MustCompile(`\b(\d\d)/(\d\d)(/\d{4}\s+\d\d:\d\d:\d\d)`)
	shortDate = regexp.MustCompile(`\b(?:\d/\d\d?|\d\d/\d)/\d{4}\s+\d\d:\d\d:\d\d`)
)

// padded writes a date with two digits for day and month.
func padded(date []byte) []byte {
	parts := bytes.SplitN(date, []byte{'/'}, 3)
	for i, part := range parts[:2] {
		if len(part) == 1 {
			parts[i] = []byte{'0', part[0]}
		}
	}
	return bytes.Join(parts, []byte{'/'})
}

// datesOf puts the month of all dates first. A number above 12 must be a day. An element <dates> says if the
// day was first, or if no date shows the order.
func datesOf(text []byte, out *bytes.Buffer) []byte {
	text = shortDate.ReplaceAllFunc(text, padded)
	var first, second, open []byte // dates: first is no month, second is no month, both may be months
	for _, m := range slashDate.FindAllSubmatch(text, -1) {
		switch a, b := string(m[1]), string(m[2]); {
		case a > "12" && first == nil:
			first = m[0][:10]
		case b > "12" && second == nil:
			second = m[0][:10]
		case a <= "12" && b <= "12" && a != b && open == nil:
			open = m[0][:10]
		}
	}
	switch {
	case first != nil && second == nil:
		out.WriteString(`<dates order="day first">` + string(first) + "</dates>")
		return slashDate.ReplaceAll(text, []byte("$2/$1$3"))
	case first == nil && second == nil && open != nil:
		out.WriteString(`<dates order="unknown">` + string(open) + "</dates>")
	}
	return text
}
