package main

import (
	"fmt"
	"io"
	"strings"
)

// printTable prints the verdicts as Markdown, and the sums of each kind.
func printTable(w io.Writer, list []verdict) {
	fmt.Fprintln(w, "| fault | wrong | unexplained | bundles | loud | noticed by |\n|---|---|---|---|---|---|")
	for i := range list {
		fmt.Fprintln(w, list[i].row())
	}
	for _, k := range []kind{priorities, predictions, dispatch, cycles} {
		sum := verdict{}
		n, noticed := 0, 0
		for i := range list {
			if v := &list[i]; v.kind == k {
				n++
				sum.wrong, sum.told, sum.bundles, sum.loud = sum.wrong+v.wrong, sum.told+v.told,
					sum.bundles+v.bundles, sum.loud+v.loud
				if v.noticed() != "" {
					noticed++
				}
			}
		}
		fmt.Fprintf(w, "\n%s: %d faults, %d noticed; %d wrong, %d told (%s); %d bundles, %d loud (%s)\n",
			k, n, noticed, sum.wrong, sum.told,
			percent(sum.told, sum.wrong), sum.bundles, sum.loud, percent(sum.loud, sum.bundles))
	}
}

func percent(part, all int) string {
	if all == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(all))
}

func (v *verdict) row() string {
	if v.failed != "" {
		return fmt.Sprintf("| `%s` | not measured: %s |", v.file, strings.ReplaceAll(v.failed, "\n", " "))
	}
	return fmt.Sprintf("| `%s`: `%s` → `%s` | %d | %d | %d | %d | %s |", v.file, short(v.old),
		short(v.new), v.wrong, v.told, v.bundles, v.loud, v.noticed())
}

// short is source text in one line of a table.
func short(text string) string {
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", "\\|")
	if r := []rune(text); len(r) > 70 {
		return string(r[:69]) + "…"
	}
	return text
}
