package main

import (
	"fmt"
	"strings"

	"qprism/engine/model"
)

// closedWords says which queue instances no job can start in, whatever it asks for, a line for each reason. Those that are full
// are left out: the table of hosts has them, where they matter.
func (r *delay) closedWords() []string {
	if r.decision == nil || r.decision.Verdict == model.Now || !triedInTurn(r.decision.Why) {
		return nil
	}
	names := map[string][]string{}
	var order []string
	for i := range r.closed {
		w := &r.closed[i]
		if w.Kind == model.ReasonFull {
			continue
		}
		text := reasonText(w)
		if names[text] == nil {
			order = append(order, text)
		}
		names[text] = append(names[text], w.Object)
	}
	var lines []string
	for _, text := range order {
		list := names[text]
		places := strings.Join(list[:min(len(list), namedHosts)], ", ")
		if more := len(list) - namedHosts; more > 0 {
			places += fmt.Sprintf(" and %d more", more)
		}
		lines = append(lines, "closed to all jobs: "+places+": "+text)
	}
	return lines
}

// closedPlaces are the queue instances in which no job can start, with the reason, where that is not for want of slots.
func (r *delay) closedPlaces() map[string]*model.Reason {
	places := make(map[string]*model.Reason, len(r.closed))
	for i := range r.closed {
		if w := &r.closed[i]; w.Kind != model.ReasonFull {
			places[w.Object] = w
		}
	}
	return places
}
