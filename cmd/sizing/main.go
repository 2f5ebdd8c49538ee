// Command sizing writes bundles of a large cluster, to measure qprism (scripts/sizing.sh,
// scripts/bench-serve.py). It simulates the cluster of a recorded 8.1.9 master, with more hosts and jobs.
// Another SEED gives other jobs.
//
//	go run ./cmd/sizing FOLDER|STORE.db HOSTS JOBS BUNDLES [SEED]
//
// If the first argument ends in .db, the command imports the bundles into this store (scripts/year.sh).
//
// Its files:
//   - main.go: writes folders
//   - fill.go: fills a store
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"qprism/fixtures/generate"
	"qprism/importer"
)

const recording = "fixtures/gridengine/8.1.9-share-2.tar.gz/run2/after"

// cadence is the time between two bundles, as in the packaged configuration.
const cadence = 5 * time.Minute

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sizing:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 4 && len(args) != 5 {
		return fmt.Errorf("want FOLDER|STORE.db HOSTS JOBS BUNDLES [SEED], got %d arguments", len(args))
	}
	numbers := [4]int{3: 1}
	for i, text := range args[1:] {
		n, err := strconv.Atoi(text)
		if err != nil {
			return err
		}
		numbers[i] = n
	}
	files, closer, err := importer.Open(recording)
	if err != nil {
		return err
	}
	defer closer.Close()
	e, err := generate.Evolve(files, numbers[0], numbers[1], uint64(numbers[3]))
	if err != nil {
		return err
	}
	e.Detail = true
	if strings.HasSuffix(args[0], ".db") {
		return fill(args[0], e, numbers[2])
	}
	for n := range numbers[2] {
		if n > 0 {
			e.Step(cadence)
		}
		if err := write(e, filepath.Join(args[0], fmt.Sprintf("%05d", n))); err != nil {
			return err
		}
	}
	return nil
}

// write writes the files of a bundle into a folder.
func write(e *generate.Evolution, folder string) error {
	files, err := e.Files()
	if err != nil {
		return err
	}
	for name, data := range files {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
