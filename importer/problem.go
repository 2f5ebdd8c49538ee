package importer

import (
	"fmt"
	"strings"
)

// A Problem is a part of a bundle that qprism cannot read: its place, its text, and the error.
type Problem struct {
	File string
	Line int    // 0 for the whole file
	Text string // the text that caused the error; messages print it quoted and shortened
	Err  error
}

func (p *Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	fmt.Fprintf(&b, ": %v", p.Err)
	if p.Text != "" {
		fmt.Fprintf(&b, ": %s", shorten(p.Text))
	}
	return b.String()
}

func (p *Problem) Unwrap() error { return p.Err }

// shorten quotes text of a cluster for one line of a terminal.
func shorten(text string) string {
	const most = 120
	if len(text) > most {
		text = text[:most] + "…"
	}
	return fmt.Sprintf("%q", text)
}
