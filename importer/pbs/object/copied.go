package object

import "bytes"

// A copied listing comes from a mail or a web page, which changed the blanks around its lines. The first lines
// show how, because no command prints blanks around the name of an object.
type copied struct {
	begun    bool
	base     int  // blanks before every line
	trailing bool // lines end in blanks that do not belong to values
	indented bool // attributes have other indentation than usual:
	indent   int  // this many blanks
}

// original returns a line without the blanks that the copy added.
func (c *copied) original(line []byte, x *textFile) []byte {
	if blank := leading(line); !c.begun && len(blank) < len(line) {
		if _, heads := x.form.head(bytes.TrimRight(line[len(blank):], " \t")); heads {
			c.begun, c.base = true, len(blank)
			c.trailing = line[len(line)-1] == ' ' || line[len(line)-1] == '\t'
		}
	}
	line = line[min(c.base, len(leading(line))):]
	if c.trailing {
		line = bytes.TrimRight(line, " \t")
	}
	return line
}

// learnIndent takes the blanks before the first attribute as the indentation of all.
func (c *copied) learnIndent(line []byte, x *textFile) {
	if len(x.record.Attrs) > 0 || x.skipped || c.indented {
		return
	}
	if _, _, ok := x.cut(line); ok {
		return
	}
	c.indented, c.indent = true, len(leading(line))
	if _, _, ok := x.cut(line); !ok {
		c.indented = false
	}
}

// leading returns the blanks at the beginning of a line.
func leading(line []byte) []byte { return line[:len(line)-len(bytes.TrimLeft(line, " \t"))] }
