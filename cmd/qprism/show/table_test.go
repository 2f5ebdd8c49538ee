package show

import (
	"bytes"
	"strings"
	"testing"

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
	jobs := func(whole bool) Sheet {
		s := Sheet{Columns: Columns(">job", "name", "submitted", "why", ">slots"), Whole: whole}
		s.Add("7", long, "2026-11-21 08:04:47", "no slot is free at any of its queues", "16")
		s.Add("1234567", "short", "2026-11-21 08:04:48", "", "1")
		return s
	}
	for width, want := range map[int]string{
		0:   "      7  " + long + "  2026-11-21 08:04:47  no slot is free at any of its queues     16",
		300: "      7  " + long + "  2026-11-21 08:04:47  no slot is free at any of its queues     16",
		120: "      7  " + strings.Repeat("n", 44) + "…  2026-11-21 08:04:47  no slot is free at any of its queues     16",
		80:  "      7  nnnnnnnnnnnnnnnnnnnn…  2026-11-21 08:04:47  no slot is free at…      16",
		60:  "      7  nnnnnnnnnnn…  2026-11-21 08:04:47  no slot is…      16", // no less is left of a text: the line wraps
	} {
		lines := jobs(false).printed(t, width)
		if lines[1] != want {
			t.Errorf("width %d:\n got %s\nwant %s", width, lines[1], want)
		}
		if !strings.Contains(lines[2], "1234567  short ") || !strings.Contains(lines[1], "08:04:47") {
			t.Errorf("width %d: numbers, moments and short texts are not cut:\n%s", width, strings.Join(lines, "\n"))
		}
	}
	if got := jobs(true).printed(t, 80)[1]; !strings.Contains(got, long) {
		t.Errorf("a whole table is cut: %s", got)
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
