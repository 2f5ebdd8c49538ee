package importer

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// An fs.FS has only names in UTF-8. But names of users, queues and hosts may have any byte. In the fs.FS of a
// bundle, a byte that is not UTF-8 becomes a percent sign and two hexadecimal digits. A percent sign becomes
// %25.

// RawName returns the original file name or path for a name in a bundle's fs.FS.
func RawName(name string) string {
	if !strings.Contains(name, "%") {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] == '%' && i+2 < len(name) && hex(name[i+1]) >= 0 && hex(name[i+2]) >= 0 {
			b.WriteByte(byte(hex(name[i+1])<<4 | hex(name[i+2])))
			i += 2
			continue
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// escapeName returns the name in a bundle's fs.FS for a file name or path with any bytes.
func escapeName(raw string) string {
	if utf8.ValidString(raw) && !strings.Contains(raw, "%") {
		return raw
	}
	var b strings.Builder
	for len(raw) > 0 {
		r, n := utf8.DecodeRuneInString(raw)
		if r == '%' || r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, "%%%02X", raw[0])
		} else {
			b.WriteString(raw[:n])
		}
		raw = raw[n:]
	}
	return b.String()
}

// hex returns the value of a hexadecimal digit in the form of escapeName. It is negative for any other byte.
func hex(c byte) int {
	return strings.IndexByte("0123456789ABCDEF", c)
}
