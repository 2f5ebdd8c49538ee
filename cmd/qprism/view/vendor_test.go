package view

import (
	"bytes"
	"io/fs"
	"os"
	"strings"
	"testing"

	"qprism/fixtures/needs"
)

// TestTheChartsAreThoseOfNPM holds the library in assets against the package that package-lock.json pins.
func TestTheChartsAreThoseOfNPM(t *testing.T) {
	for file, from := range map[string]string{"uplot.js": "dist/uPlot.iife.min.js", "uplot.LICENSE": "LICENSE"} {
		ours, err := os.ReadFile("assets/vendor/" + file)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := os.ReadFile("node_modules/uplot/" + from)
		if err != nil {
			needs.Lacking(t, err)
		}
		if file == "uplot.js" {
			theirs = append(theirs, "export default uPlot;\n"...)
		}
		if !bytes.Equal(ours, theirs) {
			t.Errorf("assets/vendor/%s is not that of npm: npm run vendor in cmd/qprism/view copies it", file)
		}
	}
}

// TestThePageIsSmall: scripts and styles stay below 200 kB as they are sent, a view below 150 lines, and each line below 110 letters.
func TestThePageIsSmall(t *testing.T) {
	size := 0
	err := fs.WalkDir(files, "assets", func(name string, e fs.DirEntry, err error) error {
		script := strings.HasSuffix(name, ".js")
		if err != nil || !script && !strings.HasSuffix(name, ".css") {
			return err
		}
		sent, err := asset(name)
		size += len(sent)
		if err != nil || strings.Contains(name, "/vendor/") {
			return err
		}
		text, err := files.ReadFile(name)
		lines := strings.Split(string(text), "\n")
		if script && len(lines) > 151 {
			t.Errorf("%s has %d lines", name, len(lines)-1)
		}
		for i, line := range lines {
			if n := len([]rune(line)); n > 110 {
				t.Errorf("%s:%d has %d letters", name, i+1, n)
			}
		}
		return err
	})
	if err != nil || size >= 200_000 {
		t.Error(size, err)
	}
	t.Logf("%d bytes", size)
}
