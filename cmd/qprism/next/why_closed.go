package next

import (
	"fmt"
	"strings"

	"qprism/cmd/qprism/words"
)

// closedWords lists the queue instances in which no job can start, one line for each reason.
func (r *whyReport) closedWords() []string {
	var lines []string
	for i := range r.Closed {
		g := &r.Closed[i]
		places := strings.Join(g.Places[:min(len(g.Places), namedHosts)], ", ")
		if more := len(g.Places) - namedHosts; more > 0 {
			places += fmt.Sprintf(" and %d more", more)
		}
		lines = append(lines, "closed to all jobs: "+places+": "+words.ReasonText(&g.Why))
	}
	return lines
}
