package main

import (
	"bytes"
	"errors"
	"io/fs"
	"testing"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/program"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
	"qprism/fixtures/examples"
	"qprism/importer/cluster"
)

func TestEveryStepOfEveryExampleIsABundle(t *testing.T) {
	for _, e := range examples.All {
		steps, err := e.Steps()
		if err != nil {
			t.Fatal(err)
		}
		files, err := e.Open()
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range steps {
			bundle, err := fs.Sub(files, step)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := cluster.Read(bundle, cluster.Options{}); err != nil {
				t.Errorf("%s/%s: %v", e.Name, step, err)
			}
		}
	}
}

func TestEveryExampleIsShownByEveryCommand(t *testing.T) {
	for _, e := range examples.All {
		s := loadExample(t, e)
		commands := [][]string{{"priorities"}, {"shares"}, {"plan"}, {"forecast"}, {"lint"}}
		if s.PBS == nil {
			commands = append(commands, []string{"audit"})
		}
		for _, command := range commands {
			for _, format := range []string{"table", "json"} {
				var out bytes.Buffer
				root := program.New()
				root.SetOut(&out)
				root.SetArgs(append(command, subject.ExampleMark+e.Name, "--format", format))
				err := root.Execute()
				var found *cli.DisagreementError
				silent := command[0] == "shares" && s.ShareTree == nil && s.PBS == nil && format == "table" // nothing to show in a pipe
				if err != nil && (command[0] != "lint" || !errors.As(err, &found)) || out.Len() == 0 && !silent {
					t.Errorf("%s example:%s --format %s: %v, %d bytes", command[0], e.Name, format, err, out.Len())
				}
			}
		}
	}
}

func loadExample(t *testing.T, e examples.Example) *model.Snapshot {
	t.Helper()
	bundle, closer, err := subject.BundleAt(subject.ExampleMark + e.Name)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	s, err := cluster.Read(bundle, cluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
