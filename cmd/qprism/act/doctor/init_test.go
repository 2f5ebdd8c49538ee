package doctor

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qprism/adapters/ssh"
	"qprism/cmd/qprism/act/serve"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
)

// A host that refuses connections stands for all clusters that do not answer.
func TestInitWritesNothingForAClusterThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "qprism.yaml")
	d := cli.Deps{Store: filepath.Join(t.TempDir(), "store.db"), StoreGiven: true, Format: "table"}
	o := InitOptions{Output: file, Reach: subject.Reach{From: "nobody@127.0.0.1:1",
		Client: ssh.Options{Home: t.TempDir()}}}
	var out, asked bytes.Buffer
	err := RunInit(t.Context(), &d, o, &out, &asked)
	if err == nil || !strings.Contains(asked.String(), "refused") || out.Len() > 0 {
		t.Errorf("error %v, said %q, asked\n%s", err, out.String(), asked.String())
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*")); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}

// hostileNames are names that a job or a host can have, and that no shell or YAML reader takes as they are.
var hostileNames = []string{"it's", `"quoted"`, "$(reboot)", "`id`", "a;b|c&d", "-rf", "$HOME", "%n%s{}[]<>!#~^"}

// TestAConfigurationHoldsWhateverIsNamed writes hostile names into files and reads these as serve does.
func TestAConfigurationHoldsWhateverIsNamed(t *testing.T) {
	for _, name := range append([]string{"a: b", "- c", "# d", "\"e\"", "true", "é", "null", "1"}, hostileNames...) {
		a := initAnswers{Cluster: "vm\nclusters: {}", Name: nameFrom(name), From: name, Settings: "/opt/" + name,
			Store:   "/var/" + name + "/s.db",
			Reports: "/var/" + name, Minutes: "7", Page: true}
		text, err := a.configuration()
		must(t, err)
		file := filepath.Join(t.TempDir(), "qprism.yaml")
		must(t, put(file, text, false))
		config, err := serve.LoadConfig(file)
		if err != nil {
			t.Errorf("%q: %v\n%s", name, err, text)
			continue
		}
		c := config.Clusters[0]
		if len(config.Clusters) != 1 || c.From != name || c.Settings != "/opt/"+name ||
			config.Store.File != "/var/"+name+"/s.db" || c.MayPush {
			t.Errorf("%q becomes %+v\n%s", name, c, text)
		}
	}
	bad := initAnswers{Name: "a", From: "line\nbreak", Minutes: "5"}
	if text, err := bad.configuration(); err == nil && strings.Contains(text, "line\nbreak") {
		t.Errorf("a line break passes:\n%s", text)
	}
}

func TestOnlyThePackagedFileIsReplacedUnasked(t *testing.T) {
	file := filepath.Join(t.TempDir(), "qprism.yaml")
	o := InitOptions{}
	must(t, o.mayWrite(file))
	example, err := os.ReadFile("../../../../scripts/package/qprism.yaml")
	must(t, err)
	must(t, os.WriteFile(file, example, 0o600))
	must(t, o.mayWrite(file))
	must(t, put(file, "new\n", packaged(file)))
	if old, err := os.ReadFile(file + ".old"); err != nil || !bytes.Equal(old, example) {
		t.Errorf("the old file is %q, error %v", old, err)
	}
	if err := o.mayWrite(file); err == nil {
		t.Error("a file of somebody's is replaced")
	}
	if err := put(file, "newer\n", false); err == nil {
		t.Error("a file that came meanwhile is replaced")
	}
	o.force = true
	must(t, o.mayWrite(file))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
