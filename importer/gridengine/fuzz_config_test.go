package gridengine

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"qprism/engine/model"
)

// fuzzConfig reads any text as a configuration file: it never panics, with errors or going on, and what it reads prints
// and reads to the same. The seeds are the files of testdata that match.
func fuzzConfig(f *testing.F, file, seeds string, step func(*configReader) error, print func(*model.Snapshot) string) {
	for _, pattern := range []string{"testdata/config/*/" + file, "testdata/config/*/" + seeds} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		first, err := readStep(bundleOf(map[string]string{file: text}), Options{}, step)
		if err != nil {
			if _, err := readStep(bundleOf(map[string]string{file: text}), Options{KeepGoing: true}, step); err != nil {
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
		second, err := readStep(bundleOf(map[string]string{file: printed}), Options{}, step)
		first.Unknown, second.Unknown = nil, nil
		if err != nil || !reflect.DeepEqual(first, second) {
			t.Errorf("%v\n%s\nis %s\nthen %s", err, printed, show(first), show(second))
		}
	})
}

func FuzzSchedConf(f *testing.F) {
	fuzzConfig(f, "sched_conf.txt", "-", readSchedConf, printSchedConf)
}

func FuzzComplex(f *testing.F) { fuzzConfig(f, "complex.txt", "-", readComplex, printComplex) }

func FuzzShareTree(f *testing.F) { fuzzConfig(f, "share_tree.txt", "-", readShareTree, printShareTree) }

func FuzzUsers(f *testing.F) { fuzzConfig(f, "users.txt", "users/*", readUsers, printUsers) }

func FuzzProjects(f *testing.F) {
	fuzzConfig(f, "projects.txt", "projects/*", readProjects, printProjects)
}

func FuzzUsersets(f *testing.F) {
	fuzzConfig(f, "usersets.txt", "usersets/*", readUsersets, printUsersets)
}

func FuzzQueues(f *testing.F) { fuzzConfig(f, "queues.txt", "queues/*", readQueues, printQueues) }

func FuzzHosts(f *testing.F) { fuzzConfig(f, "hosts.txt", "hosts/*", readHosts, printHosts) }

func FuzzHostGroups(f *testing.F) {
	fuzzConfig(f, "hostgroups.txt", "hostgroups/*", readHostGroups, printHostGroups)
}

func FuzzPEs(f *testing.F) { fuzzConfig(f, "pes.txt", "pes/*", readPEs, printPEs) }

func FuzzQuotas(f *testing.F) { fuzzConfig(f, "rqs.txt", "rqs/*", readQuotas, printQuotas) }

func FuzzCalendars(f *testing.F) { fuzzConfig(f, "calendars.txt", "-", readCalendars, printCalendars) }

func FuzzConf(f *testing.F) { fuzzConfig(f, "conf.txt", "host_confs.txt", readConf, printConf) }

func FuzzCheckpoints(f *testing.F) {
	fuzzConfig(f, "ckpts.txt", "-", readCheckpoints, printCheckpoints)
}

func FuzzLists(f *testing.F) { fuzzConfig(f, "managers.txt", "-", readLists, printLists) }
