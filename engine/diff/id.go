package diff

import "qprism/engine/model"

// taskOf reads the id of a PBS job: "12.server", or "12[3].server" for a subjob. An array as a whole is no task.
func taskOf(id string) (Task, bool) {
	p, ok := model.ParsePBSID(id)
	if !p.Array {
		return Task{p.Number, 1}, ok
	}
	return Task{p.Number, p.Index}, ok && p.Subjob
}
