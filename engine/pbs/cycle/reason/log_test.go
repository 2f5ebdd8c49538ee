package reason

import (
	"strings"
	"testing"

	"qprism/engine/model"
)

// TestWhatTheSchedulerWritesIsRead reads every wording with names filled in, in the log's form and as a comment.
func TestWhatTheSchedulerWritesIsRead(t *testing.T) {
	filled := strings.NewReplacer("$O", "q one", "$W", "ann", "$A", "(R: 2 A: 1 T: 16)", "$R", "ncpus")
	for code, w := range wordings {
		for _, text := range []string{w.log, "Not Running: " + w.log, "Can Never Run: " + w.log, w.comment} {
			if strings.TrimPrefix(text, "Not Running: ") == "" || w.comment == text && text == "" {
				continue
			}
			got, ok := Parse(filled.Replace(text))
			if !ok || got.Kind != w.kind || strings.Contains(text, "$R") && got.Resource != "ncpus" ||
				got.Never != strings.HasPrefix(text, "Can Never") {
				t.Errorf("%d %q: %+v %v, want %s", code, text, got, ok, w.kind)
			}
		}
	}
}

func TestAmountsOfAReasonAreRead(t *testing.T) {
	for text, want := range map[string]model.Reason{
		"Insufficient amount of resource: ncpus (R: 2 A: 1 T: 16)": {Kind: model.ReasonResource,
			Failure: model.FailInsufficient, Resource: "ncpus", Asked: "2", Offered: "1", Later: true},
		"Insufficient amount of resource: arch (linux != aix)": {Kind: model.ReasonResource, Failure: model.FailInsufficient,
			Resource: "arch", Asked: "linux", Offered: "aix", Differs: true, Later: true},
		"Insufficient amount of resource: ncpus ": {Kind: model.ReasonResource, Failure: model.FailInsufficient,
			Resource: "ncpus", Later: true},
		"Queue small job limit reached for user ann": {Kind: model.ReasonLimit, Failure: model.FailQueueByUserLimit,
			Object: "small", Who: "ann", Later: true},
		"Job would conflict with reservation or top job": {Kind: model.ReasonReserved,
			Failure: model.FailReservedAhead, Reserved: true, Later: true},
	} {
		got, ok := Parse(text)
		if got.Text = ""; !ok || got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
	for _, text := range []string{"", "Not Running: ", "Considering job to run", "Not enough free nodes available yet"} {
		if got, ok := Parse(text); ok {
			t.Errorf("%q is %+v", text, got)
		}
	}
}

func FuzzTold(f *testing.F) {
	f.Add("Not Running: Insufficient amount of resource: ncpus (R: 2 A: 1 T: 16)")
	f.Fuzz(func(t *testing.T, text string) {
		if r, ok := Parse(text); ok && r.Kind == "" {
			t.Errorf("%q has no kind", text)
		}
	})
}
