package anonymize

import (
	"maps"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/engine/model/glob"
)

// patterns finds patterns of jobs and quotas that match other names under pseudonyms. Usual patterns match the
// same names: letters, question marks, and a star at the end.
func (w *writer) patterns(s *model.Snapshot) []string {
	pseudonyms, wrong := map[string]string{}, map[string]bool{}
	for name := range namesOf(s) {
		pseudonyms[name] = w.Name(name)
	}
	for pattern := range patternsOf(s) {
		old, made := glob.New(pattern), glob.New(w.Name(pattern))
		for name, pseudonym := range pseudonyms {
			if old.Match(name) != made.Match(pseudonym) {
				wrong[pattern] = true
				break
			}
		}
	}
	return slices.Sorted(maps.Keys(wrong))
}

// namesOf returns the names to test patterns with.
func namesOf(s *model.Snapshot) map[string]bool {
	names := map[string]bool{}
	for i := range s.Queues {
		names[s.Queues[i].Name] = true
	}
	for i := range s.Hosts {
		names[s.Hosts[i].Name] = true
	}
	for i := range s.PEs {
		names[s.PEs[i].Name] = true
	}
	for i := range s.Users {
		names[s.Users[i].Name] = true
	}
	for i := range s.Projects {
		names[s.Projects[i].Name] = true
	}
	return names
}

// patternsOf returns the patterns of a snapshot. Patterns of queues and hosts are marked.
func patternsOf(s *model.Snapshot) map[string]bool {
	patterns := map[string]bool{}
	add := func(list ...string) {
		for _, text := range list {
			for _, part := range strings.Split(text, "@") {
				if strings.ContainsAny(part, "*?[") {
					patterns[part] = true
				}
			}
		}
	}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		add(j.PE)
		add(slices.Concat(j.HardQueues, j.SoftQueues, j.MasterQueues)...)
		for _, r := range j.Hard {
			add(r.Value)
		}
	}
	for _, q := range s.Quotas {
		for _, r := range q.Rules {
			for _, f := range []model.QuotaFilter{r.Users, r.Projects, r.PEs, r.Queues, r.Hosts} {
				add(f.Include...)
				add(f.Exclude...)
			}
		}
	}
	return patterns
}
