package show

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// printed are the lines of a table on a terminal of a width.
func (s Sheet) printed(t interface{ Fatal(...any) }, width int) []string {
	var b bytes.Buffer
	if err := s.Aligned(&b, width); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

func TestTheWidestTextsAreCutToTheTerminal(t *testing.T) {
	long := strings.Repeat("n", 122)
	jobs := func() Sheet {
		s := Sheet{Columns: Columns(">job", "name", "submitted", "why", ">slots")}
		s.Add("7", long, "2026-11-21 08:04:47", "no slot is free at any of its queues", "16")
		s.Add("1234567", "short", "2026-11-21 08:04:48", "", "1")
		return s
	}
	for width, want := range map[int]string{
		0:   "      7  " + long + "  2026-11-21 08:04:47  no slot is free at any of its queues     16",
		300: "      7  " + long + "  2026-11-21 08:04:47  no slot is free at any of its queues     16",
		120: "      7  " + strings.Repeat("n", 44) + "…  2026-11-21 08:04:47  no slot is free at any of its queues     16",
		80:  "      7  nnnnnnnnnnnnnnnnnnnn…  2026-11-21 08:04:47  no slot is free at       16",
		60:  "      7  nnnnnnnnnnn…  2026-11-21 08:04:47  no slot is       16", // no less is left of a text: the line wraps
	} {
		lines := jobs().printed(t, width)
		if lines[1] != want {
			t.Errorf("width %d:\n got %s\nwant %s", width, lines[1], want)
		}
		if !strings.Contains(lines[len(lines)-1], "1234567  short ") || !strings.Contains(lines[1], "08:04:47") {
			t.Errorf("width %d: numbers, moments and short texts are not cut:\n%s", width, strings.Join(lines, "\n"))
		}
	}
}

// TestATerminalDoesWithoutTheLeastColumnsAndSaysWhichFlagShowsThem leaves out what says nothing, then what the table names, then what is
// on the right, but for the reason at its end; a table that folds shows all.
func TestATerminalDoesWithoutTheLeastColumnsAndSaysWhichFlagShowsThem(t *testing.T) {
	sheet := func(fold bool) Sheet {
		s := Sheet{Columns: Columns(">job", "silent", "name", "state", ">tickets", "submitted", "why"), Less: []string{"submitted"}, Fold: fold}
		s.Add("7", "-", "short", "qw", "100000", "2026-11-21 08:04:47", "full")
		return s
	}
	for width, want := range map[int]string{
		0:  "job  silent  name   state  tickets  submitted (UTC)      why\n  7  -       short  qw      100000  2026-11-21 08:04:47  full\n",
		40: "job  name   state  tickets  why\n  7  short  qw      100000  full\nHidden columns: submitted. --wide\n  shows all columns.\n",
		20: "job  name   why\n  7  short  full\nHidden columns:\n  state, tickets and\n  submitted. --wide\n  shows all columns.\n",
	} {
		var b bytes.Buffer
		if err := (Output{W: &b, Terminal: true, Format: "table", Columns: width}).Sheet(sheet(false)); err != nil || b.String() != want {
			t.Errorf("width %d: %v, got\n%swant\n%s", width, err, b.String(), want)
		}
	}
	var b bytes.Buffer
	const folded = "job  silent  name   state\n  7  -       short  qw\n\njob  tickets\n  7   100000\n\njob  submitted (UTC)      why\n  7  2026-11-21 08:04:47  full\n"
	if err := (Output{W: &b, Terminal: true, Format: "table", Columns: 32}).Sheet(sheet(true)); err != nil || b.String() != folded {
		t.Errorf("%v, got\n%swant\n%s", err, b.String(), folded)
	}
}

// TestATerminalShowsLocalTimesAndTheirZone: files have UTC.
func TestATerminalShowsLocalTimesAndTheirZone(t *testing.T) {
	at := time.Date(2026, 11, 21, 23, 4, 47, 0, time.UTC)
	zone := time.FixedZone("XYT", 2*3600)
	people := Output{Terminal: true, Format: "table", Zone: zone}
	for want, got := range map[string]string{
		"2026-11-22 01:04:47": people.Moment(at), "2026-11-22 01:04:47 XYT": people.Zoned(at), "01:04:47": people.Short(at, at.Add(time.Hour)),
		"2026-11-21T23:04:47Z": Output{Format: "tsv", Zone: zone}.Zoned(at),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestWideCharactersStandInTheirColumns(t *testing.T) {
	s := Sheet{Columns: Columns("name", ">slots")}
	for _, name := range []string{"größe_日本語", "plain", "e\u0301cole", "한국어"} {
		s.Add(name, "1")
	}
	want := []string{"name          slots", "größe_日本語      1", "plain             1", "e\u0301cole             1", "한국어            1"}
	if got := s.printed(t, 0); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for width, want := range map[int]string{12: "größe_日本語", 11: "größe_日本…", 10: "größe_日…", 9: "größe_日…", 7: "größe_…"} {
		if got := cut("größe_日本語", width); got != want {
			t.Errorf("cut to %d: %q, want %q", width, got, want)
		}
	}
}

func TestNoLineIsWiderThanItNeedsToBe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.StringMatching(`[a-zü日 ]{0,40}`)
		s := Sheet{Columns: Columns(">n", "a", "b", "c")}
		for range rapid.IntRange(0, 5).Draw(t, "rows") {
			s.Add(rapid.StringMatching(`[0-9]{0,6}`).Draw(t, "n"), cell.Draw(t, "a"), cell.Draw(t, "b"), cell.Draw(t, "c"))
		}
		full := s.widths()
		least := 6 // the blanks between columns
		for i, w := range full {
			if !s.Columns[i].Right && w > momentWidth {
				w = leastText
			}
			least += w
		}
		most := rapid.IntRange(1, 200).Draw(t, "width")
		for _, line := range s.printed(t, most) {
			if w := displayWidth(line); w > max(most, least) {
				t.Fatalf("%d columns on a terminal of %d, and %d would do: %q", w, most, least, line)
			}
		}
	})
}
