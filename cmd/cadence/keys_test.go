package cadence

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestTheReferenceHasEveryKey asks the reader for the keys of each mapping, by a key that none has.
// It looks for them in docs/reference/configuration.md.
func TestTheReferenceHasEveryKey(t *testing.T) {
	for section, file := range map[string]string{
		"Top level":               "no_such_key: 1\n",
		"Keys of store":           "store: {no_such_key: 1}\n",
		"Keys of a cluster":       "clusters: {a: {no_such_key: 1}}\n",
		"Keys of capture":         "clusters: {a: {capture: {no_such_key: 1}}}\n",
		"Keys of diff":            "clusters: {a: {diff: {no_such_key: 1}}}\n",
		"Keys of push":            "clusters: {a: {allow: push, push: {no_such_key: 1}}}\n",
		"Keys of drive":           "clusters: {a: {allow: drive, drive: {no_such_key: 1}}}\n",
		"Keys of alerts":          "alerts: {no_such_key: 1}\n",
		"Keys of health and list": "listen: {no_such_key: 1}\n",
	} {
		known := keysOf(t, file)
		if strings.Contains(file, ": {capture") || strings.Contains(file, "diff") || strings.Contains(file, "allow") {
			known = slices.DeleteFunc(known, func(k string) bool { return k == "at" || k == "deadline" }) // the same for all tasks
		}
		told := keysTold(t, section)
		slices.Sort(told)
		if !slices.Equal(known, told) {
			t.Errorf("%s:\nthe reader knows %q\nthe document has %q", section, known, told)
		}
	}
}

var knows = regexp.MustCompile(`has no "no_such_key"; it has (.*)`)

// keysOf are the keys that the reader offers where one is unknown.
func keysOf(t *testing.T, text string) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "qprism.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Load(file, Checks{})
	if err == nil {
		t.Fatalf("%s is accepted", text)
	}
	m := knows.FindStringSubmatch(err.Error())
	if m == nil {
		t.Fatalf("%s: %v", text, err)
	}
	return strings.Split(m[1], ", ")
}

var (
	firstCell = regexp.MustCompile("(?m)^\\| (`[^|]*) \\|")
	word      = regexp.MustCompile("`([a-z_]+)`")
)

// keysTold are the keys in the tables of a section.
func keysTold(t *testing.T, section string) []string {
	t.Helper()
	text, err := os.ReadFile("../../docs/reference/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "\n## "+section)
	if !found {
		t.Fatalf("no section %q", section)
	}
	rest, _, _ = strings.Cut(rest, "\n## ")
	var keys []string
	for _, row := range firstCell.FindAllStringSubmatch(rest, -1) {
		for _, key := range word.FindAllStringSubmatch(row[1], -1) {
			keys = append(keys, key[1])
		}
	}
	return keys
}
