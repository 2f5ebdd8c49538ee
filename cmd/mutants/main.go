package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"qprism/engine/gridengine/lastrun"
)

func main() {
	what := flag.String("measure", "", "measure this `kind` alone, with the engine of this program: "+
		"priorities, predictions, dispatch, cycles or all")
	base := flag.String("base", "", "the measure of the engine without faults, for its moments")
	match := flag.String("match", "", "only the faults in files whose name has this `text`")
	flag.Parse()
	err := run(*what, *base, *match, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(what, base, match string, recordings []string) error {
	if what == "" {
		return plantAll(os.Stdout, match, recordings)
	}
	var moments map[string]lastrun.Moment
	if base != "" {
		m, err := readMeasure(base)
		if err != nil {
			return err
		}
		moments = m.moments()
	}
	m, err := measureAll(recordings, kind(what), moments)
	if err != nil {
		return err
	}
	return m.write(os.Stdout)
}

func readMeasure(name string) (*measure, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	m := &measure{}
	return m, json.Unmarshal(data, m)
}
