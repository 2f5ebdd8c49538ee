package formula_test

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"qprism/fixtures/needs"

	"qprism/engine/formula"
	"qprism/engine/formula/python"
)

//go:embed testdata/server.py
var server string

// askServer has Python do what the server does, and returns the error codes.
func askServer(t *testing.T, names formula.Names, formulas []string) []int {
	needs.Program(t, "python3", "what Python makes of a formula")
	own := []string{"eligible_time", "queue_priority", "job_priority", "fairshare_perc", "fair_share_perc",
		"fairshare_tree_usage",
		"fairshare_factor", "accrue_type"}
	in, err := json.Marshal(map[string][]string{"numeric": slices.Concat(names.Numeric, own),
		"other": names.Other, "formulas": formulas})
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("python3", "-c", server)
	c.Stdin, c.Stderr = bytes.NewReader(in), os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	codes := make([]int, len(formulas))
	for i, line := range strings.Fields(string(out)) {
		if _, err := fmt.Sscan(line, &codes[i]); err != nil {
			t.Fatal(err)
		}
	}
	return codes
}

// mangled is a recorded formula, with words put in and characters taken out.
func mangled(random *rand.Rand, formulas []recorded) string {
	words := []string{"'", " == ", " arch ", " nosuch ", "ncpus", " if ", " else ", "(", ")",
		"1/0", "+", "-", "*", "**2", ",", "#", " ",
		"0", " and ", " or ", " not ", "walltime", "job_priority", "pi"}
	text := formulas[random.Intn(len(formulas))].Formula
	for range random.Intn(4) {
		at := random.Intn(len(text) + 1)
		if random.Intn(3) == 0 && at < len(text) {
			text = text[:at] + text[at+1:]
		} else {
			text = text[:at] + words[random.Intn(len(words))] + text[at:]
		}
	}
	return text
}

func TestValidateRefusesWhatTheServersProgramRefuses(t *testing.T) {
	files := recordings(t)
	names := formula.NamesOf(snapshotOf(t, files, "formula_sweep/before").Resources)
	var sweep struct{ Formulas []recorded }
	readJSON(t, files, "formula_sweep/formulas.json", &sweep)
	random := rand.New(rand.NewSource(8))
	var texts []string
	var ours []int
	left := 0
	for range 6000 {
		text := mangled(random, sweep.Formulas)
		if strings.Count(text, "'") > 1 {
			left++ // what is between two quotes is code of the server's program
			continue
		}
		err := formula.Validate(text, names)
		var refusal *formula.Refusal
		var other *python.Error
		switch {
		case err == nil:
			ours = append(ours, 0)
		case errors.As(err, &refusal) && refusal.Code > 0:
			ours = append(ours, refusal.Code)
		case errors.As(err, &refusal), errors.As(err, &other):
			left++ // qmgr's own refusal, and what is not computed here
			continue
		}
		texts = append(texts, text)
	}
	count := map[int]int{}
	for i, want := range askServer(t, names, texts) {
		count[want]++
		if ours[i] != want {
			t.Errorf("%q: %d, the server's program says %d", texts[i], ours[i], want)
		}
	}
	t.Logf("%d formulas %v, left out %d", len(texts), count, left)
	if left > 2000 {
		t.Errorf("%d formulas were left out", left)
	}
	for _, code := range []int{0, 15011, 15123, 15124, 15125} {
		if count[code] < 50 {
			t.Errorf("only %d formulas end in %d", count[code], code)
		}
	}
}
