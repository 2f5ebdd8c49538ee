package main

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

//go:embed hpc2n.txt
var hpc2n string

// A pattern says how people use a cluster.
type pattern struct {
	hours, weekdays []float64 // sessions that begin then
	users           []userPattern
}

// A userPattern says how often a user submits jobs, and which jobs.
type userPattern struct {
	sessions                               float64 // a day
	jobs, gaps, processors, seconds, asked tenths
}

// tenths are values from the least to the most.
type tenths []float64

// draw is a value: each part between two tenths is as likely as another.
func (t tenths) draw(r *rand.Rand) float64 {
	at := r.Float64() * float64(len(t)-1)
	i := int(at)
	return t[i] + (at-float64(i))*(t[i+1]-t[i])
}

func readPattern(text string) (*pattern, error) {
	p := &pattern{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		values := make([]float64, len(words)-1)
		for i, w := range words[1:] {
			var err error
			if values[i], err = strconv.ParseFloat(w, 64); err != nil {
				return nil, err
			}
		}
		if words[0] == "user" {
			p.users = append(p.users, userPattern{sessions: values[0]})
			continue
		}
		into := p.list(words[0])
		if into == nil {
			return nil, fmt.Errorf("no line begins with %q", words[0])
		}
		*into = values
	}
	return p, nil
}

// list returns where to put the values of a line. Values of a user belong to the last user.
func (p *pattern) list(name string) *tenths {
	switch name {
	case "hours":
		return (*tenths)(&p.hours)
	case "weekdays":
		return (*tenths)(&p.weekdays)
	}
	if len(p.users) == 0 {
		return nil
	}
	h := &p.users[len(p.users)-1]
	return map[string]*tenths{"jobs": &h.jobs, "gaps": &h.gaps, "processors": &h.processors,
		"seconds": &h.seconds, "asked": &h.asked}[name]
}

// share returns the average part of a day's sessions that begins in the hour of a moment.
func (p *pattern) share(at time.Time) float64 {
	day := (int(at.Weekday()) + 6) % 7 // from Monday
	return p.hours[at.Hour()] / sum(p.hours) * p.weekdays[day] / sum(p.weekdays) * 7
}

func sum(list []float64) (total float64) {
	for _, v := range list {
		total += v
	}
	return total
}
