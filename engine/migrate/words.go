package migrate

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"qprism/engine/model"
)

// Words are the equivalents of user requests on the translated cluster: for every complex entry, parallel
// environment and queue. Those of the formula are included.
func (t *Translation) Words() model.PBSWords {
	w := model.PBSWords{Queues: map[string]string{}, Options: map[string]string{}, Hosts: len(t.To.Hosts)}
	maps.Copy(w.Options, t.options)
	if t.Submit.Reserve != "" {
		w.Options["-R"] = t.Submit.Reserve
	}
	for _, r := range t.From.Resources {
		if r.Name != "slots" && r.Requestable != model.RequestNo {
			w.Resources = append(w.Resources, t.word(r))
		}
	}
	for i := range t.From.PEs {
		p := &t.From.PEs[i]
		w.Environments = append(w.Environments, model.PBSEnvironment{Name: p.Name, Rule: p.AllocationRule,
			Slots: t.made.peSlots[p.Name]})
	}
	for _, q := range t.From.Queues {
		w.Queues[q.Name] = t.queueName(q.Name)
	}
	slices.SortFunc(w.Resources, func(a, b model.PBSWord) int { return cmp.Compare(a.Name, b.Name) })
	return w
}

// Resource is the PBS resource for an entry of the complex. ok is false if PBS has none.
func (t *Translation) Resource(entry string) (r model.Resource, ok bool) {
	for _, own := range t.From.Resources {
		if own.Name == entry {
			w := t.word(own)
			return model.Resource{Name: w.To, Type: w.Type}, w.To != ""
		}
	}
	return r, false
}

// word is what becomes of requests of an entry; one that nobody asked for so far is asked for as what PBS has like it.
func (t *Translation) word(r model.Resource) model.PBSWord {
	like, _ := pbsTable.Rule("complex", r.Name, "")
	w := model.PBSWord{Name: r.Name, Shortcut: r.Shortcut, How: model.PBSNotAsked, Note: like.Note}
	e, made := t.made.resources[r.Name]
	switch {
	case r.Name == "qname":
		w.How = model.PBSOfQueue
	case made && e.name != "":
		w.To, w.Type, w.How = e.name, e.kind, t.how(e)
	case like.Into != "":
		w.To, w.Type = like.Into, builtInTypes[like.Into]
		w.How = t.how(resource{ge: r, name: w.To, kind: w.Type})
	}
	return w
}

// how says where a job asks for a resource. Of consumables each slot asks for as much.
func (t *Translation) how(e resource) model.PBSHow {
	flags := t.flagsOf(e.name)
	switch {
	case e.name == "walltime", e.name == "cput", e.name == "file", t.choosesQueue(e):
		return model.PBSOfJob
	case strings.Contains(flags, "f"):
		return model.PBSOfFirst
	case strings.Contains(flags, "q") && e.ge.Consumable == model.ConsumeYes:
		return model.PBSOfSlots
	case strings.Contains(flags, "q"):
		return model.PBSOfJob
	case e.ge.Consumable == model.ConsumeYes && numeric(e.kind):
		return model.PBSOfSlot
	}
	return model.PBSOfChunk
}

// flagsOf are the flags of a resource of the PBS cluster.
func (t *Translation) flagsOf(name string) string {
	for _, r := range t.To.Resources {
		if r.Name == name {
			return r.Flags
		}
	}
	return "h"
}
