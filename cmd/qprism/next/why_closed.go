package next

import (
	"fmt"
	"strings"

	"qprism/cmd/qprism/words"
)

// closedWords says which queue instances no job can start in, whatever it asks for, a line for each reason.
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
