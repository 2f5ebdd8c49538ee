package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryFaultCanBePlanted: the text that a fault changes stands once in its file, and there are enough of each kind.
func TestEveryFaultCanBePlanted(t *testing.T) {
	kinds := map[kind]int{}
	for _, m := range mutants {
		kinds[m.kind]++
		source, err := os.ReadFile(filepath.Join("..", "..", "engine", m.file))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(source), m.old); n != 1 || m.old == m.new {
			t.Errorf("%s: %q stands there %d times", m.file, m.old, n)
		}
	}
	if len(mutants) < 60 || kinds[priorities] < 30 || kinds[dispatch] < 15 || kinds[cycles] < 10 {
		t.Errorf("%d faults: %v", len(mutants), kinds)
	}
}
