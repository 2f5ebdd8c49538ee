package qconf

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"qprism/engine/model"
	"qprism/importer/gridengine/expect"
	"qprism/importer/source"
)

// FuzzConfig reads any text as a configuration file, kind says which: it never panics, with errors or going
// on, and what it reads prints and reads to the same. The seeds are the files of testdata that match.
func FuzzConfig(f *testing.F) {
	for kind, c := range fuzzedConfigs {
		for _, pattern := range []string{c.name, c.seeds} {
			if pattern == "" {
				continue
			}
			names, err := filepath.Glob("testdata/config/*/" + pattern)
			if err != nil {
				f.Fatal(err)
			}
			for _, name := range names {
				text, err := os.ReadFile(name)
				if err != nil {
					f.Fatal(err)
				}
				f.Add(uint8(kind), string(text))
			}
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, text string) {
		c := fuzzedConfigs[int(kind)%len(fuzzedConfigs)]
		file, step, print := c.name, c.step, c.print
		first, err := readStep(expect.Bundle(map[string]string{file: text}), source.Options{}, step)
		if err != nil {
			if _, err := readStep(expect.Bundle(map[string]string{file: text}), source.Options{KeepGoing: true},
				step); err != nil {
				t.Errorf("keeping on: %v", err)
			}
			return
		}
		if len(first.LeftOut) > 0 {
			return // what could not be read is not printed
		}
		printed := print(first)
		if strings.Contains(printed, "\\\n") {
			return // a value that ends in a backslash joins the next line
		}
		second, err := readStep(expect.Bundle(map[string]string{file: printed}), source.Options{}, step)
		first.Unknown, second.Unknown = nil, nil
		if err != nil || !reflect.DeepEqual(first, second) {
			t.Errorf("%v\n%s\nis %s\nthen %s", err, printed, expect.Show(first), expect.Show(second))
		}
	})
}

// fuzzedConfigs are the files that FuzzConfig tries: more of testdata's are seeds, how each is read, and
// how it is printed.
var fuzzedConfigs = []struct {
	name, seeds string
	step        func(*configReader) error
	print       func(*model.Snapshot) string
}{
	{"sched_conf.txt", "", readSchedConf, printSchedConf},
	{"complex.txt", "", readComplex, printComplex},
	{"share_tree.txt", "", readShareTree, printShareTree},
	{"users.txt", "users/*", readUsers, printUsers},
	{"projects.txt", "projects/*", readProjects, printProjects},
	{"usersets.txt", "usersets/*", readUsersets, printUsersets},
	{"queues.txt", "queues/*", readQueues, printQueues},
	{"hosts.txt", "hosts/*", readHosts, printHosts},
	{"hostgroups.txt", "hostgroups/*", readHostGroups, printHostGroups},
	{"pes.txt", "pes/*", readPEs, printPEs},
	{"rqs.txt", "rqs/*", readQuotas, printQuotas},
	{"calendars.txt", "", readCalendars, printCalendars},
	{"conf.txt", "host_confs.txt", readConf, printConf},
	{"ckpts.txt", "", readCheckpoints, printCheckpoints},
	{"managers.txt", "", readLists, printLists},
}
