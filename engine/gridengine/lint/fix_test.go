package lint

import (
	"os/exec"
	"strings"
	"testing"

	"qprism/engine/lint"
)

// hostile are names that a stranger may have put into a bundle.
var hostile = []string{"a b", "it's", "$(id)", "`id`", `\`, `\/e`, "a&b", "/e;id", "'; id; '", "#", "*", "é"}

func shell(t *testing.T, command, input string) string {
	t.Helper()
	c := exec.Command("sh", "-c", command)
	c.Stdin = strings.NewReader(input)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v: %s", command, err, out)
	}
	return string(out)
}

func TestANameIsOneWordOfACommand(t *testing.T) {
	for _, name := range hostile {
		if got := shell(t, "printf %s "+lint.Quote(name), ""); got != name {
			t.Errorf("%q became %q", name, got)
		}
	}
	for _, name := range []string{"-dstree", "a\nb", "\x1b[2J", "\xff"} {
		if lint.Safe("qconf -suser " + lint.Quote(name)) {
			t.Errorf("%q is shown to be copied", name)
		}
	}
}

func TestAValueStandsForItselfInSed(t *testing.T) {
	for _, value := range hostile {
		if got := shell(t, "sed -e "+lint.Quote(replace("key", value)), "key old\nkeys old\n"); got != "key "+
			value+"\nkeys old\n" {
			t.Errorf("%q became %q", value, got)
		}
		if got := shell(t, "sed -e "+lint.Quote("/^"+lint.Pattern(value)+"$/s/.*/found/"),
			value+"\nother\n"); got != "found\nother\n" {
			t.Errorf("%q is matched as %q", value, got)
		}
	}
}
