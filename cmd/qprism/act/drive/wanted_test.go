package drive

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qprism/cmd/qprism/act/control"
	"qprism/cmd/qprism/cli"
)

// TestAnOrderThatNobodyTellsIsNotTrustedForEver: after some steps the scheduler's own order counts; what is
// told anew counts at once.
func TestAnOrderThatNobodyTellsIsNotTrustedForEver(t *testing.T) {
	store := filepath.Join(t.TempDir(), "store.db")
	file := lastDecisionFile(store, "vm/default")
	must(t, control.Keep(file, lastDecision{At: time.Unix(1, 0), decision: decision{Order: []uint32{7, 8}},
		Failures: maxFallbacks - 1}))
	v := &Driver{deps: &cli.Deps{Store: store}, warn: &strings.Builder{}}
	v.opts.Order = filepath.Join(t.TempDir(), "gone")
	for n, want := range []int{2, 0, 0} {
		var failed error
		order, err := v.askOrFallBack("vm/default", &failed)(context.Background(), nil, v.opts, time.Now())
		if err != nil || len(order.Order) != want || !IsFallback(failed) {
			t.Errorf("step %d: %v, %v, %v", n, order, failed, err)
		}
	}
	if last := readLastDecision(file); last.Failures != maxFallbacks+2 {
		t.Errorf("%+v", last)
	}
	must(t, os.WriteFile(file, []byte("{"), 0o600))
	if last := readLastDecision(file); last.Order != nil {
		t.Errorf("a damaged file gives %+v", last)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
