package policy

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/trial"
	"qprism/engine/intend"
	"qprism/exporter/report"
)

// twoDepartments is a cluster where a department's tickets outweigh all else: each of A's jobs that wait
// comes before each of B's, as long as A has fewer than a thousand.
const twoDepartments = `hosts node01
queue all.q slots=1
set weight_tickets_functional 1000000
set weight_department 1
set weight_user 0
set weight_project 0
set weight_job 0
set weight_ticket 1
set weight_urgency 0
set weight_priority 0
set weight_waiting_time 0
department A fshare=1000000 entries=ann
department B fshare=1 entries=ben
8:00 ben: qsub -l h_rt=1:0:0 job.sh => all.q@node01
8:10 ben: qsub -l h_rt=1:0:0 job.sh
8:20 ann: qsub -l h_rt=1:0:0 job.sh
8:30 ben: qsub -l h_rt=1:0:0 job.sh
at 8:40
`

// TestSentencesAreCarriedOver: a formula that knows tickets keeps one department before the other; one that
// knows none puts the job first that was submitted first, and the report has it as lost. What waits for
// longer than a minute does so under both.
func TestSentencesAreCarriedOver(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	lab := "lab:" + write("two.lab", twoDepartments)
	sentences := write("intend.yaml", "- department A before department B\n"+
		"- user ben waits at most 1m\n- job 3 starts within 2h\n- 1h of waiting is worth 3.5 slots\n")
	for _, c := range []struct {
		formula string
		lost    bool
		to      []string
	}{
		{"frozen", false, []string{"holds", "does not hold", "holds", "cannot be told"}},
		{"plain", true, []string{"does not hold", "does not hold", "holds", "cannot be told"}},
	} {
		into := filepath.Join(folder, c.formula)
		err := runMigrate(t.Context(), &cli.Deps{Format: "json"},
			migrateOptions{to: "pbs", into: into, formula: c.formula, intend: sentences,
				pastOptions: pastOptions{most: 1}}, []string{lab}, &strings.Builder{})
		var found *cli.DisagreementError
		if (err != nil && !errors.As(err, &found)) || errors.As(err, &found) != c.lost {
			t.Fatalf("%s: %v", c.formula, err)
		}
		text, err := os.ReadFile(filepath.Join(into, "report.json"))
		if err != nil {
			t.Fatal(err)
		}
		var r report.Report
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		for i, want := range c.to {
			got := r.Intentions[i]
			if got.To != want || got.Lost != (c.lost && i == 0) {
				t.Errorf("%s: %+v, want %s", c.formula, got, want)
			}
		}
		if from := r.Intentions[0]; from.From != "holds" || c.lost &&
			(len(from.Jobs) != 2 || !strings.Contains(from.Jobs[0], "ben")) {
			t.Errorf("%s: %+v", c.formula, from)
		}
	}
}

// TestWhatWaitingIsWorthIsTriedElsewhere: an hour of waiting is worth as much as four slots, in Grid Engine
// and by the formula that is made of it.
func TestWhatWaitingIsWorthIsTriedElsewhere(t *testing.T) {
	folder := t.TempDir()
	lab, sentences := filepath.Join(folder, "worth.lab"), filepath.Join(folder, "intend.yaml")
	for name, text := range map[string]string{
		lab: "hosts node01\nqueue all.q slots=8 pe_list=smp\npe smp\nset weight_ticket 0\nset " +
			"weight_urgency 1\nset weight_priority 0\n" +
			"set weight_waiting_time 1.1111111111\n8:00 ann: qsub job.sh\n8:10 ben: qsub -pe smp 4 job.sh\nat 9:00\n",
		sentences: "- 1h of waiting is worth 4 slots\n- 1h of waiting is worth 5 slots\n- 1h of waiting is worth 3 slots\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m := held(t, lab, sentences)
	for i, want := range []string{"holds", "does not hold", "does not hold"} {
		if got := m.intentions[i]; got.From != want || got.To != want {
			t.Errorf("%+v, want %s", got, want)
		}
	}
}

// held is a migration to PBS of a lab with sentences.
func held(t *testing.T, lab, sentences string) *migration {
	t.Helper()
	m, err := readMigration(context.Background(), &cli.Deps{}, pastOptions{most: 1}, []string{"lab:" + lab})
	if err == nil {
		_, err = toPBS(m)
	}
	if err == nil {
		err = m.hold(t.Context(), sentencesOf(t, sentences))
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func sentencesOf(t *testing.T, file string) []intend.Intention {
	t.Helper()
	list, err := trial.ReadIntentions(file)
	if err != nil {
		t.Fatal(err)
	}
	return list
}
