package show

import (
	"slices"
)

// narrowed is a table without the columns that a terminal has no room for, and the names of those. Columns
// that say nothing in any row go first, then those that the table can best do without.
func (s Sheet) narrowed(most int) (narrow Sheet, left []string) {
	for most > 0 && len(s.Columns) > 2 && !s.fits(most) {
		i := s.leastFirst()[0]
		if !s.silent(i) {
			left = append(left, s.Columns[i].Name)
		}
		s = s.Without(i)
	}
	slices.Reverse(left)
	return s, left
}

// fits reports whether a table fits into a width, or can be cut to it. It cuts texts only after all columns
// that the table can omit.
func (s Sheet) fits(most int) bool {
	width := s.widths()
	if slices.ContainsFunc(s.Columns, func(c Column) bool { return slices.Contains(s.Less, c.Name) }) {
		return totalWidth(width) <= most
	}
	return totalWidth(s.fitted(width, most)) <= most
}

func totalWidth(width []int) int {
	total := 2 * (len(width) - 1)
	for _, w := range width {
		total += w
	}
	return total
}

// leastFirst returns the columns in the order of omission: empty columns, then those that the table names, then
// from right to left. The first column, which names the object of the row, is the last. The reason comes
// directly before it.
func (s Sheet) leastFirst() []int {
	var list []int
	add := func(i int) {
		if i > 0 && !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	for i := range s.Columns {
		if s.silent(i) {
			add(i)
		}
	}
	for _, name := range s.Less {
		add(slices.IndexFunc(s.Columns, func(c Column) bool { return c.Name == name }))
	}
	for i := len(s.Columns) - 2; i > 0; i-- {
		add(i)
	}
	add(len(s.Columns) - 1)
	return list
}

// silent reports whether a column says nothing in any row.
func (s Sheet) silent(i int) bool {
	return !slices.ContainsFunc(s.Rows, func(row []string) bool { return row[i] != "" && row[i] != "-" })
}

// WithoutEmpty returns the table without columns that are empty in every row.
func (s Sheet) WithoutEmpty() Sheet {
	for i := len(s.Columns) - 1; i > 0; i-- {
		if s.silent(i) {
			s = s.Without(i)
		}
	}
	return s
}

// Without returns the table without one column.
func (s Sheet) Without(i int) Sheet {
	s.Columns = slices.Delete(slices.Clone(s.Columns), i, i+1)
	rows := make([][]string, len(s.Rows))
	for k, row := range s.Rows {
		rows[k] = slices.Delete(slices.Clone(row), i, i+1)
	}
	s.Rows = rows
	return s
}

// parts are tables that fit, one below the other, each with the first column of all.
func (s Sheet) parts(most int) []Sheet {
	if !s.Fold || most == 0 || s.fits(most) {
		return []Sheet{s}
	}
	width := s.widths()
	var parts []Sheet
	for first := 1; first < len(s.Columns); {
		last, used := first, width[0]
		for last < len(s.Columns) && (last == first || used+2+width[last] <= most) {
			used += 2 + width[last]
			last++
		}
		parts = append(parts, s.span(first, last))
		first = last
	}
	return parts
}

// span is the first column with those from one to before another.
func (s Sheet) span(from, to int) Sheet {
	part := s
	part.Columns = append(slices.Clone(s.Columns[:1]), s.Columns[from:to]...)
	part.Rows = nil
	for _, row := range s.Rows {
		part.Rows = append(part.Rows, append(slices.Clone(row[:1]), row[from:to]...))
	}
	return part
}
