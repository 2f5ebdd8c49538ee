package main

import (
	"regexp"
	"strings"
)

var link = regexp.MustCompile(`\[([^\]]+)\]\([^)]+\)`)

// body is a document in the form of a man page: without its title and its link to the README, with section
// titles in capitals, and without links. Lists replace tables, because tables do not fit a terminal.
func body(text string) string {
	var b strings.Builder
	table := false // the line before is of a table
	for line := range strings.Lines(link.ReplaceAllString(text, "$1")) {
		row := strings.HasPrefix(line, "|")
		switch {
		case strings.HasPrefix(line, "# "), strings.HasPrefix(line, "Part of qprism"):
		case strings.HasPrefix(line, "## "):
			b.WriteString("# " + strings.ToUpper(strings.TrimPrefix(line, "## ")))
		case row && (!table || strings.HasPrefix(line, "|-")): // the head, and the rule below it
		case row:
			b.WriteString(item(line))
		default:
			b.WriteString(line)
		}
		table = row
	}
	return b.String()
}

// item writes a row of a table as an entry of a list: the first cells are the name, the last cell describes it.
func item(row string) string {
	cells := strings.Split(strings.Trim(strings.TrimSpace(row), "|"), "|")
	for i, c := range cells {
		cells[i] = strings.TrimSpace(c)
	}
	last := len(cells) - 1
	term := "**" + strings.ReplaceAll(cells[0], "`", "") + "**"
	if last > 1 && cells[1] != "" {
		term += " (" + cells[1] + ")"
	}
	if cells[last] == "" {
		return term + "\n\n"
	}
	return term + "\n:   " + cells[last] + "\n\n"
}
