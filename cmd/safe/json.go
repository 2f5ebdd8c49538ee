package safe

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"unicode/utf16"
)

// JSON escapes characters that json.Marshal leaves in a document, but that a terminal obeys or hides: U+007F to
// U+009F, direction marks, characters without width. The decoded strings stay the same.
func JSON(document []byte) []byte {
	// White space between tokens is all that is below a blank in a document.
	seen := func(r rune) bool { return r >= ' ' && hidden(r) }
	plain := !slices.ContainsFunc(document, func(c byte) bool { return c >= 0x7f }) // as in most documents
	if plain || bytes.IndexFunc(document, seen) < 0 {
		return document
	}
	var b bytes.Buffer
	for _, r := range string(document) {
		switch high, low := utf16.EncodeRune(r); {
		case !seen(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.Bytes()
}

// NewJSONWriter returns a writer that escapes like JSON. Each Write must have a whole document.
func NewJSONWriter(w io.Writer) io.Writer { return jsonWriter{w} }

type jsonWriter struct{ w io.Writer }

func (j jsonWriter) Write(document []byte) (int, error) {
	if _, err := j.w.Write(JSON(document)); err != nil {
		return 0, err
	}
	return len(document), nil
}
