package slurm

import (
	"maps"
	"math"
	"slices"
	"strings"

	"qprism/engine/migrate"
	"qprism/engine/migrate/synthesis"
	"qprism/engine/model"
)

// uncountable are the urgencies of resources that have no amounts in Slurm: features that a job asks for or not.
func (t *Translation) uncountable() map[string]float64 {
	list := map[string]float64{}
	for _, r := range t.From.Resources {
		if u, err := model.ParseNumber(r.Urgency); err == nil && u != 0 && Holds(r.Name) && t.tresOf(r) == "" {
			list[r.Name] = u
		}
	}
	return list
}

// qualities makes a QOS for each set of such resources that jobs of the history ask for, and for none of them: they are apart by
// the urgency of their sets. The greatest has the factor 1, the least 0, whatever their signs are.
func (t *Translation) qualities(h synthesis.History, unit float64) {
	t.features = t.uncountable()
	if len(t.features) == 0 || unit == 0 {
		return
	}
	sets := map[string]float64{normal: 0}
	for _, run := range h {
		for i := range run.Snapshot.Jobs {
			name, u := t.quality(&run.Snapshot.Jobs[i])
			sets[name] = u
		}
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, u := range sets {
		low, high = min(low, u), max(high, u)
	}
	if high == low {
		return
	}
	t.Policy.QOS = whole(unit * (high - low))
	t.quals = map[string]float64{}
	taken := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(sets)) {
		t.quals[name] = (sets[name] - low) / (high - low)
		to := spelt(name, taken)
		if to != name {
			t.Names = append(t.Names, migrate.Renaming{Kind: "QOS", From: name, To: to, Why: "names have small letters, digits and marks"})
		}
		t.QOS = append(t.QOS, QOS{Name: to, Priority: whole(mostPriority * t.quals[name])})
	}
	for name := range t.features {
		t.say("complex", name, migrate.Approximate, "a QOS with a Priority", "a job asks for the QOS of its set of resources; that Grid Engine counts it for each slot is lost")
	}
}

// quality is the QOS of a job: the names of what it asks for, and their urgency.
func (t *Translation) quality(j *model.Job) (name string, urgency float64) {
	var names []string
	for _, r := range j.Hard {
		if u, known := t.features[r.Resource]; known && !slices.Contains(names, r.Resource) {
			names = append(names, r.Resource)
			urgency += u
		}
	}
	if len(names) == 0 {
		return normal, 0
	}
	slices.Sort(names)
	return strings.ToLower(strings.Join(names, "_")), urgency
}
