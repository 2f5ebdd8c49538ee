package model

// A Line is one logical line of a file of a bundle, with its object and key. Adjacent lines without meaning
// of their own, such as blank lines, comments and records of a log, form one Line.
type Line struct {
	File   string // "queues/all.q.txt"
	Number int    // of its first physical line, from 1
	Count  int    // of physical lines
	Kind   string // content of the file: "queue", "host", "sched_conf" …; empty for an unknown file
	Object string // object of the line: "all.q", "node01", "/P1/alice" of the share tree; empty if the file is one object
	Key    string // "seq_no"; "entry" in a complex or list; empty for an unknown line
	Index  int    // number among lines with this key, from 0: the rules of a quota set
	Value  string
	Text   string // without the blanks around it; long ones are shortened
}

// Keys of lines without a key of their own.
const (
	LineEntry   = "entry"   // a line of a list, of the complex
	LineBlank   = "blank"   // blank lines and comments
	LineRecords = "records" // lines about present state, not configuration
)
