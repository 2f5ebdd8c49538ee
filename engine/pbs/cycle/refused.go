package cycle

import (
	"strings"

	"qprism/engine/model"
)

// refusal is why the server does not start a job that waits when the scheduler asks it to: by the log of the cycle, or as it did the last
// time, by the job's comment; empty where it was not asked. Hooks of the event runjob do it, and hosts.
func (w *world) refusal(p *model.PBSJob) string {
	if w.refused != nil {
		return w.refused[p.ID]
	}
	text, refused := strings.CutPrefix(p.Comment, "Not Running: PBS Error: ")
	if !refused || p.State != "Q" {
		return ""
	}
	return strings.TrimSpace(text)
}

// refuse expects that the server refuses a job again. It takes no vnodes then, others of its class are tried all the same, and none are
// kept for it.
func (r *run) refuse(c *claim) resorting {
	c.cannotRun = true
	r.recordWait(c, fails(model.FailRefused, c.refused))
	if !r.refused && r.opts.Refused == nil {
		r.refused = true
		r.note("the server refused to start some jobs when it was asked last, as their comments say; it is expected to do so again")
	}
	return keepOrder
}
