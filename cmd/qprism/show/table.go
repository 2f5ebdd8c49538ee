package show

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"qprism/cmd/safe"
)

// A Sheet is a table to print.
type Sheet struct {
	Columns []Column
	Rows    [][]string
	// Less has the columns that a narrow terminal omits, the least important first. After them, it omits other
	// columns from right to left.
	Less    []string
	Fold    bool // columns that do not fit stand below the others, after the first column again
	painted bool // in colors
}

// A Column is one column of a sheet. Numbers are aligned right.
type Column struct {
	Name  string
	Right bool
}

// Columns makes columns from names; ">" marks numbers.
func Columns(names ...string) []Column {
	list := make([]Column, 0, len(names))
	for _, name := range names {
		plain := strings.TrimPrefix(name, ">")
		list = append(list, Column{Name: plain, Right: plain != name})
	}
	return list
}

// NewSheet makes a table with these columns and without rows.
func NewSheet(columns ...string) Sheet { return Sheet{Columns: Columns(columns...)} }

func (s *Sheet) Add(cells ...string) { s.Rows = append(s.Rows, cells) }

// Sheet prints a table. People get aligned columns in the width of the terminal. Programs get tabs or CSV. The
// writer keeps the error, so a caller that prints more may ignore it.
func (o Output) Sheet(s Sheet) error {
	switch {
	case o.Format == "csv":
		return s.csv(o.W, o.Exact)
	case o.People():
		return o.aligned(s)
	}
	return s.tabs(o.W)
}

// aligned prints a table for people, and names the columns that did not fit.
func (o Output) aligned(s Sheet) (err error) {
	most, left := o.Width(), []string(nil)
	s.each(Printable)
	if s.painted = o.Colored(); !s.Fold {
		s, left = s.narrowed(most)
	}
	s.Columns = o.zonedColumns(s)
	for i, part := range s.parts(most) {
		if i > 0 {
			o.Say("")
		}
		err = cmp.Or(err, part.Aligned(o.W, most))
	}
	switch {
	case len(left) > 0:
		o.Say("Hidden columns: %s. --wide shows all columns.", JoinAnd(left))
	case most > 0 && !s.Fold && s.cuts(most):
		o.Say(`qprism shortened the texts that end in "…". --wide shows the whole texts.`)
	}
	return err
}

// cuts reports whether something is cut in a table of a width.
func (s Sheet) cuts(most int) bool {
	width := s.fitted(s.widths(), most)
	for _, row := range s.Rows {
		for _, line := range wrapped(row, width) {
			for i, cell := range line {
				if displayWidth(cell) > width[i] {
					return true
				}
			}
		}
	}
	return false
}

// Rows prints a table and a blank line. For people it prints nothing if the table is empty.
func (o Output) Rows(s Sheet) error {
	if len(s.Rows) == 0 && o.People() {
		return nil
	}
	err := o.Sheet(s)
	o.Say("")
	return err
}

// csv prints rows for a spreadsheet, or exactly, as a program wants them.
func (s Sheet) csv(w io.Writer, exact bool) error {
	c := csv.NewWriter(w)
	if err := c.Write(s.header()); err != nil {
		return err
	}
	s.each(safe.Cell)
	if !exact {
		s.each(noFormula)
	}
	return c.WriteAll(s.Rows)
}

func (s Sheet) tabs(w io.Writer) error {
	out := bufio.NewWriter(w)
	s.each(safe.Cell)
	for _, row := range append([][]string{s.header()}, s.Rows...) {
		out.WriteString(strings.Join(row, "\t"))
		out.WriteByte('\n')
	}
	return out.Flush()
}

// noFormula puts an apostrophe before a cell that a spreadsheet would take for a formula, as OWASP recommends
// ("CSV Injection"). Numbers stay, and so does the dash for an unknown value. A tab or a carriage return is
// never first, because safe.Cell has escaped it.
func noFormula(cell string) string {
	if cell == "" || cell == "-" || !strings.ContainsRune("=+-@＝＋－＠", firstRune(cell)) || plainNumber.MatchString(cell) {
		return cell
	}
	return "'" + cell
}

func firstRune(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// plainNumber matches a number that a spreadsheet reads as a number: -5, +0.25, -1e-07.
var plainNumber = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)

func (s Sheet) header() []string {
	names := make([]string, len(s.Columns))
	for i, c := range s.Columns {
		names[i] = c.Name
	}
	return names
}

// each makes another text of every cell.
func (s Sheet) each(of func(string) string) {
	for _, row := range s.Rows {
		for i := range row {
			row[i] = of(row[i])
		}
	}
}

// Aligned prints aligned columns in lines of at most most characters. 0 means no limit.
func (s Sheet) Aligned(w io.Writer, most int) error {
	out := bufio.NewWriter(w)
	s.each(Printable)
	width := s.fitted(s.widths(), most)
	for _, row := range append([][]string{s.header()}, s.Rows...) {
		for _, line := range wrapped(row, width) {
			out.WriteString(s.line(line, width))
			out.WriteByte('\n')
		}
	}
	return out.Flush()
}

// wrapped is a row as the lines that it takes: sentences go on below, names are cut.
func wrapped(row []string, width []int) (lines [][]string) {
	lines = [][]string{slices.Clone(row)}
	for i, cell := range row {
		if displayWidth(cell) <= width[i] || !strings.Contains(cell, " ") {
			continue
		}
		for k, part := range strings.Split(Wrapped(cell, "", width[i]), "\n") {
			if k == len(lines) {
				lines = append(lines, make([]string, len(row)))
			}
			lines[k][i] = part
		}
	}
	return lines
}

// widths returns the width of the widest cell of each column.
func (s Sheet) widths() []int {
	width := make([]int, len(s.Columns))
	for i, c := range s.Columns {
		width[i] = displayWidth(c.Name)
	}
	for _, row := range s.Rows {
		for i, cell := range row {
			width[i] = max(width[i], displayWidth(cell))
		}
	}
	return width
}

// A column of text that is wider than a moment may be cut, but names must stay recognizable.
const (
	momentWidth = len("2006-01-02 15:04:05")
	leastText   = 12
)

// fitted are the widths of a table that is to be no wider than a terminal: the widest columns of text are
// cut, all to the same.
func (s Sheet) fitted(width []int, most int) []int {
	total := totalWidth(width)
	var texts []int // columns that may be cut
	for i, w := range width {
		if !s.Columns[i].Right && w > momentWidth {
			texts = append(texts, i)
		}
	}
	if most == 0 || total <= most || len(texts) == 0 {
		return width
	}
	width = slices.Clone(width)
	slices.SortFunc(texts, func(a, b int) int { return width[a] - width[b] })
	room := most - total
	for _, i := range texts {
		room += width[i]
	}
	for n, i := range texts { // the narrowest first; the others share what it does not need
		width[i] = min(width[i], max(room/(len(texts)-n), leastText, displayWidth(s.Columns[i].Name)))
		room -= width[i]
	}
	return width
}

// line puts the cells of a row at their places.
func (s Sheet) line(row []string, width []int) string {
	var b strings.Builder
	for i, cell := range row {
		if i > 0 {
			b.WriteString("  ")
		}
		cell = cut(cell, width[i])
		gap := strings.Repeat(" ", width[i]-displayWidth(cell))
		if s.painted {
			cell = painted(s.Columns[i].Name, cell)
		}
		if s.Columns[i].Right {
			b.WriteString(gap + cell)
		} else {
			b.WriteString(cell + gap)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// displayWidth is how many columns of a terminal a text takes: two for a wide character, none for a mark on
// another one.
func displayWidth(text string) int {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return uniseg.StringWidth(text)
		}
	}
	return len(text)
}

// cut shortens a text to a width, and shows that it did.
func cut(text string, width int) string {
	if displayWidth(text) <= width {
		return text
	}
	rest, taken, used, state := text, 0, 0, -1
	for rest != "" {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used+w > width-1 {
			break
		}
		used += w
		taken += len(cluster)
	}
	return strings.TrimRight(text[:taken], " ") + "…"
}

// Width returns the width of the terminal; COLUMNS overrides it. It is 0 without a terminal and with --wide.
func (o Output) Width() int {
	if o.Wide {
		return 0
	}
	if o.Columns > 0 {
		return o.Columns
	}
	if n := safe.NewWriter(o.W).Columns(); n > 0 {
		return n
	}
	f, ok := o.W.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	n, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return n
}

// DropSame removes each named column that has the same value in every row.
func (s *Sheet) DropSame(names ...string) {
	for i := len(s.Columns) - 1; i >= 0; i-- {
		if !slices.Contains(names, s.Columns[i].Name) || slices.ContainsFunc(s.Rows, func(row []string) bool {
			return row[i] != s.Rows[0][i]
		}) {
			continue
		}
		*s = s.Without(i)
	}
}

// DropEmpty removes each named column that is empty in every row.
func (s *Sheet) DropEmpty(names ...string) {
	s.DropSame(slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		i := slices.IndexFunc(s.Columns, func(c Column) bool { return c.Name == name })
		return i < 0 || slices.ContainsFunc(s.Rows, func(row []string) bool { return row[i] != "" })
	})...)
}
