package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets scripts call the program as "qprism", and tests one that tries all commands on a mutated bundle.
func TestMain(m *testing.M) {
	time.Local = time.UTC // what a terminal shows is the same everywhere
	testscript.Main(m, map[string]func(){"qprism": func() { os.Exit(run()) }, "qprism-attacked": runAttacked})
}

// TestScripts runs the program as a person would. $FIXTURES holds the recordings of Grid Engine; those of PBS begin with $PBS.
func TestScripts(t *testing.T) {
	fixtures, err := filepath.Abs("../../fixtures/gridengine")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("FIXTURES", fixtures)
			env.Setenv("PBS", filepath.Join(filepath.Dir(fixtures), "pbs", "23.06.06"))
			env.Setenv("CYCLES", filepath.Join(filepath.Dir(fixtures), "pbs", "cycles"))
			env.Setenv("QPRISM_STORE", filepath.Join(env.WorkDir, "data", "store.db"))
			return nil
		},
		Cmds:          map[string]func(*testscript.TestScript, bool, []string){"sql": changeStore},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}

// changeStore changes the store behind the program's back: sql STATEMENT.
func changeStore(t *testscript.TestScript, _ bool, args []string) {
	db, err := sql.Open("sqlite3", t.Getenv("QPRISM_STORE"))
	t.Check(err)
	defer db.Close()
	for _, statement := range args {
		_, err := db.Exec(statement)
		t.Check(err)
	}
}
