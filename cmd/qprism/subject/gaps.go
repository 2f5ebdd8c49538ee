package subject

import (
	"fmt"
	"io"
	"strings"

	"qprism/cmd/qprism/show"
	"qprism/engine/model"
	"qprism/importer/source"
)

// MostWarnings is the most lines about parts of a bundle that qprism does not use.
const MostWarnings = 20

// WarnOfGaps warns of gaps in a snapshot that affect every answer: records that were left out, an unknown time
// zone.
func WarnOfGaps(w io.Writer, s *model.Snapshot) {
	for i := range s.LeftOut {
		if i == MostWarnings {
			fmt.Fprintf(w, "qprism: skipped: %s more\n", show.Plural(len(s.LeftOut)-i, "record"))
			break
		}
		fmt.Fprintf(w, "qprism: skipped %s\n", leftOutText(&s.LeftOut[i]))
	}
	for _, r := range s.Repairs() {
		if r.Guess {
			fmt.Fprintf(w, "qprism: not certain: %s\n", RepairText(&r))
		}
	}
	if kinds := s.NotListed(); len(kinds) > 0 {
		fmt.Fprintf(w, "qprism: these files do not list %s, so they are not known\n", strings.Join(kinds, ", "))
	}
	if s.Location == source.UnknownZone {
		fmt.Fprintln(w, "qprism: these files do not say the UTC offset of their local times, so qprism "+
			"reads them as UTC; to change that, put a file MANIFEST with a line such as \"utc_offset "+
			"+0200\" into the same folder")
	}
}

func leftOutText(l *model.LeftOut) string {
	text := fmt.Sprintf("%s: %s", LineOf(l.File, l.Line), show.Printable(l.Reason))
	if l.Text != "" {
		text += ": " + show.Printable(l.Text)
	}
	return text
}

// LineOf names a line of a file, or the whole file.
func LineOf(file string, line int) string {
	if line == 0 {
		return show.Printable(file)
	}
	return fmt.Sprintf("%s:%d", show.Printable(file), line)
}

// RepairText describes a value that a command printed wrong, and its correction.
func RepairText(m *model.Repair) string {
	text := fmt.Sprintf("%s:%d: %s: %s", show.Printable(m.File), m.Line, show.Printable(m.Text), show.Printable(m.Note))
	if m.Count > 1 {
		text += fmt.Sprintf(" (%d times)", m.Count)
	}
	return text
}
