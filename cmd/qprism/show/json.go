package show

import (
	"bufio"
	"io"

	"qprism/cmd/safe"
)

// A JSONWriter writes an object whose last members are long lists. Each element has its own line.
type JSONWriter struct {
	*bufio.Writer
	err   error
	items int
}

func NewJSONWriter(w io.Writer) *JSONWriter { return &JSONWriter{Writer: bufio.NewWriter(w)} }

func (j *JSONWriter) Open(head any) {
	text, err := Marshal(head)
	j.fail(err)
	text = withVersion(text)
	j.Write(safe.JSON(text[:max(len(text)-1, 0)]))
}

func (j *JSONWriter) List(name string) {
	j.WriteString(`,"` + name + `":[`)
	j.items = 0
}

func (j *JSONWriter) Item(v any) {
	if j.items++; j.items > 1 {
		j.WriteByte(',')
	}
	j.WriteByte('\n')
	text, err := Marshal(v)
	j.fail(err)
	j.Write(safe.JSON(text))
}

func (j *JSONWriter) EndList() { j.WriteString("\n]") }

func (j *JSONWriter) Close() error {
	j.WriteString("}\n")
	j.fail(j.Flush())
	return j.err
}

func (j *JSONWriter) fail(err error) {
	if j.err == nil {
		j.err = err
	}
}

// A Document is the JSON type of a command. docs/reference/json.md is generated from all Documents.
type Document struct {
	Command string // as typed, with the flags for JSON output
	Of      any    // a value of the printed type
}
