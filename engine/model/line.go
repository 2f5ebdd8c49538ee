package model

// A Line is one logical line of a file of a bundle, with whose it is and what it says. Lines that say nothing by themselves,
// such as blank ones, comments and the records of a log, are told of together where they stand together.
type Line struct {
	File   string // "queues/all.q.txt"
	Number int    // of its first physical line, from 1
	Count  int    // of physical lines
	Kind   string // what the file holds: "queue", "host", "sched_conf" …; empty where no parser knows the file
	Object string // whose line it is: "all.q", "node01", "/P1/alice" of the share tree; empty where the file is one object
	Key    string // "seq_no"; of a complex or a list what every line is, "entry"; empty where no parser knows the line
	Index  int    // which of several lines of this key, from 0: the rules of a quota set
	Value  string
	Text   string // as it stands in the file, without the blanks around it, shortened where it is very long
}

// Keys of lines that have none of their own.
const (
	LineEntry   = "entry"   // a line of a list, of the complex
	LineBlank   = "blank"   // blank lines and comments
	LineRecords = "records" // lines of a file that tells what is going on, not what is configured
)
