package model

import (
	"path"
	"strings"
)

// MatchName reports whether a name matches a pattern with the wildcards of fnmatch(3): * ? [ ].
func MatchName(pattern, name string) bool {
	if !strings.ContainsAny(pattern, "*?[") {
		return pattern == name
	}
	// path.Match stops at slashes, which fnmatch without flags does not.
	ok, err := path.Match(strings.ReplaceAll(pattern, "/", "\x00"), strings.ReplaceAll(name, "/", "\x00"))
	return err == nil && ok
}
