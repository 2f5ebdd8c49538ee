package push

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qprism/cmd/qprism/act/control"
	"qprism/cmd/qprism/cli"
	"qprism/exporter"
)

func TestOrdersAreReadWithWhatTheySay(t *testing.T) {
	for text, want := range map[string]string{
		"3\n1 2 # then\n\n# none\n4,5": "[3 1 2 4 5]",
		"12.server\n13[].server 14[]":  "[12 13 14]",
	} {
		if got, err := readOrder(strings.NewReader(text), "f", nil); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{"1\nx": `f:2: "x" is not a job number`,
		"13[2].server": `f:1: "13[2].server" is not a job number`,
		"0":            `f:1: "0" is not a job number`, "-5": `f:1: "-5" is not a job number`,
		"4294967296": `f:1: "4294967296" is not a job number`} {
		if _, err := readOrder(strings.NewReader(text), "f", nil); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestAStopFileKeepsAPushFromItsMaster(t *testing.T) {
	d := &cli.Deps{Store: filepath.Join(t.TempDir(), "store.db"), Format: "table"}
	opts := Options{Undo: true, Apply: true, ID: 1, Now: time.Now, Sleep: exporter.Wait}
	if got, want := control.StopFile(d, opts.StopFile), filepath.Join(filepath.Dir(d.Store), "push.stop"); got != want {
		t.Errorf("the stop file is %s, want %s", got, want)
	}
	opts.StopFile = t.TempDir()
	if err := control.Stopped(control.StopFile(d, opts.StopFile)); err == nil ||
		!strings.Contains(err.Error(), "exists; remove it") {
		t.Errorf("got %v", err)
	}
	if err := Run(context.Background(), d, opts, nil, io.Discard, io.Discard); err == nil ||
		!strings.Contains(err.Error(), "push 1: no such push") {
		t.Errorf("got %v", err)
	}
}
