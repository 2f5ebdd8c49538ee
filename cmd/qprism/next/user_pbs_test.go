package next

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"qprism/cmd/qprism/queue"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/batch"
	"qprism/engine/forecast"
	"qprism/engine/gridengine/lastrun"
	recordedpbs "qprism/fixtures/pbs"
	pbsfiles "qprism/importer/pbs"
)

// ofAUser is a recorded step as an ordinary user's commands tell of it, with no manifest and no date: what people send.
func ofAUser(t *testing.T, scenario, step string) *subject.Subject {
	t.Helper()
	files, err := recordedpbs.Scenario(scenario)
	if err != nil {
		t.Fatal(err)
	}
	bundle := fstest.MapFS{}
	for name, from := range map[string]string{"qstat_f.txt": "qstat_f_as_user.txt", "qstat_Qf.txt": "qstat_Qf.txt",
		"qstat_Bf.txt":    "qstat_Bf.txt",
		"pbsnodes_av.txt": "pbsnodes_av.txt", "qmgr_print_server.txt": "qmgr_print_server.txt"} {
		text, err := fs.ReadFile(files, step+"/"+from)
		if err != nil {
			t.Fatal(err)
		}
		bundle[name] = &fstest.MapFile{Data: text}
	}
	s, err := pbsfiles.Read(bundle, pbsfiles.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return subject.NewSubject(s, subject.PBSRules, lastrun.Options{})
}

func TestEachAnswerFromAnOrdinaryUsersListingsSaysWhatItAssumes(t *testing.T) {
	s := ofAUser(t, "limits", "before")
	if err := s.Batch.Lacks(false); err != nil {
		t.Fatal(err)
	}
	at, err := s.Moment()
	if err != nil {
		t.Fatal(err)
	}
	p := s.Batch.Plan(at.At)
	job, err := s.Batch.Find("590")
	if err != nil {
		t.Fatal(err)
	}
	reasons := whyNot(s, p, job, 0)
	f := s.Batch.Forecast(forecast.Options{At: at.At, MostRuns: 50})
	for _, format := range []string{"table", "json"} {
		for command, write := range map[string]func(b *bytes.Buffer, out show.Output) error{
			"plan": func(b *bytes.Buffer, out show.Output) error {
				if format == "json" {
					return writePlan(b, s, p, true)
				}
				return printPlan(out, s, at, p, true)
			},
			"why": func(b *bytes.Buffer, out show.Output) error {
				if format == "json" {
					return out.JSON(reasons.json(s, p))
				}
				printWhy(out, s, at, reasons, true)
				return nil
			},
			"forecast": func(b *bytes.Buffer, out show.Output) error {
				if format == "json" {
					return writeForecast(b, s, at, f)
				}
				return printForecast(out, s, at, f, forecastOptions{all: true})
			},
			"priorities": func(b *bytes.Buffer, out show.Output) error {
				return queue.PrintPriorities(out, s, queue.PrioritiesOptions{View: "pri"})
			},
		} {
			var b bytes.Buffer
			if err := write(&b, show.Output{W: &b, Terminal: format == "table", Format: format}); err != nil {
				t.Errorf("%s: %v", command, err)
			}
			if !said(t, format, b.Bytes(), "sched_config is not in the bundle") || !said(t, format, b.Bytes(), "the groups of 20 jobs are not") ||
				!said(t, format, b.Bytes(), "no file says when the listings were taken") {
				t.Errorf("%s %s does not say what it assumes:\n%.600s", command, format, b.String())
			}
		}
	}
	if got := reasons.reasons(); len(got) == 0 || got[0] == "" {
		t.Errorf("why: %q", got)
	}
}

// said reports whether an answer says something: in its header, or in the member assumed.
func said(t *testing.T, format string, answer []byte, text string) bool {
	t.Helper()
	if format == "table" {
		return strings.Contains(string(answer), "Assumed: "+text)
	}
	var j struct{ Assumed []string }
	if err := json.Unmarshal(answer, &j); err != nil {
		t.Fatal(err)
	}
	return strings.Contains(strings.Join(j.Assumed, "\n"), text)
}

func TestWhatWouldBeAGuessIsRefusedWithoutRoot(t *testing.T) {
	s := ofAUser(t, "limits", "before")
	if err := s.Batch.Guesses(); err == nil || !strings.Contains(err.Error(), "sched_config") {
		t.Errorf("orders would be planned by options that nobody knows: %v", err)
	}
	if _, err := s.Batch.Shares(batch.ShareView{}); err == nil || !strings.Contains(err.Error(), "no fairshare tree") {
		t.Errorf("shares of a tree that nobody knows: %v", err)
	}
}

func TestAPolicyThatIsGivenIsNotAssumed(t *testing.T) {
	s := ofAUser(t, "limits", "before")
	file := t.TempDir() + "/sched_config"
	if err := os.WriteFile(file, []byte("strict_ordering: True ALL\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Batch.ReplacePolicy(file, &bytes.Buffer{}); err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(s.Assumptions(), "\n"); strings.Contains(text, "sched_config") || !strings.Contains(text, "groups") {
		t.Error(text)
	}
}
