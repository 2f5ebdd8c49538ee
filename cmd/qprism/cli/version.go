package cli

import (
	"fmt"
	"runtime/debug"

	"qprism/adapters/sqlite"
)

// Release is the version of the program, as docs/versions.md explains it.
const Release = "0.1.0"

// Version names the release, the commit that the program was built from with its date, and the format of the store.
func Version() string {
	commit, date, changed := built()
	text := Release
	if commit != "" {
		text += fmt.Sprintf(", commit %s of %s%s", commit[:min(len(commit), 12)], date, changed)
	}
	return fmt.Sprintf("%s; store format %d", text, sqlite.Format())
}

// built tells what the Go command wrote into the program: the commit, the time of the commit, and whether files had changes besides.
func built() (commit, date, changed string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", "", ""
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.time":
			date = s.Value[:min(len(s.Value), len("2006-01-02"))]
		case "vcs.modified":
			if s.Value == "true" {
				changed = " with changes"
			}
		}
	}
	return commit, date, changed
}
