package report

import (
	"strings"
	"unicode/utf8"
)

// A table of Markdown has aligned columns in its source, too. Its cells are Markdown, and the names of columns
// are plain text.
type table struct {
	columns []string // names; those that begin with ">" hold numbers, on the right
	rows    [][]string
}

// add adds a row. The first row is the head.
func (t *table) add(cells ...string) {
	if t.columns == nil {
		t.columns = cells
		return
	}
	t.rows = append(t.rows, cells)
}

// mostCell is the greatest width of a column. A longer cell does not widen the column, so the source stays
// readable.
const mostCell = 72

// write prints a table without columns that are empty in each row.
func (t *table) write(b *strings.Builder) {
	if t.columns == nil {
		return
	}
	t.dropEmpty()
	width := make([]int, len(t.columns))
	right := make([]bool, len(t.columns))
	head := make([]string, len(t.columns))
	for i, name := range t.columns {
		bare := strings.TrimPrefix(name, ">")
		head[i], right[i] = strings.ReplaceAll(plain(bare), "|", `\|`), bare != name
		width[i] = max(3, utf8.RuneCountInString(head[i]))
	}
	for _, row := range t.rows {
		for i := range row {
			row[i] = strings.ReplaceAll(row[i], "|", `\|`)
			width[i] = max(width[i], min(mostCell, utf8.RuneCountInString(row[i])))
		}
	}
	line(b, head, width, right)
	for i := range head {
		head[i] = strings.Repeat("-", width[i])
		if right[i] {
			head[i] = head[i][1:] + ":"
		}
	}
	line(b, head, width, right)
	for _, row := range t.rows {
		line(b, row, width, right)
	}
}

func line(b *strings.Builder, cells []string, width []int, right []bool) {
	for i, cell := range cells {
		gap := strings.Repeat(" ", max(0, width[i]-utf8.RuneCountInString(cell)))
		b.WriteString("| ")
		if right[i] {
			b.WriteString(gap + cell)
		} else {
			b.WriteString(cell + gap)
		}
		b.WriteByte(' ')
	}
	b.WriteString("|\n")
}

func (t *table) dropEmpty() {
	for i := len(t.columns) - 1; i >= 0; i-- {
		if len(t.rows) == 0 || !t.empty(i) {
			continue
		}
		t.columns = append(t.columns[:i:i], t.columns[i+1:]...)
		for r := range t.rows {
			t.rows[r] = append(t.rows[r][:i:i], t.rows[r][i+1:]...)
		}
	}
}

func (t *table) empty(column int) bool {
	for _, row := range t.rows {
		if row[column] != "" {
			return false
		}
	}
	return true
}
