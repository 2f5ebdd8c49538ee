package subject

import (
	"cmp"
	"fmt"
	"os"
	"time"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/engine/model"
)

// PrintHeader prints the cluster, the moment of the run, the source of this moment, and the rules. If the
// moment is unknown, it prints only the cluster.
func PrintHeader(out show.Output, s *Subject, at time.Time, source string) {
	out.Say("%s%s", Title(s.Snapshot), Taken(out, s.Snapshot))
	if !at.IsZero() {
		out.Say("scheduler run at %s (source: %s); rules of %s", out.Zoned(at), source, s.Rules)
	}
	if sched, of := s.SchedulerOf(); of > 1 {
		out.Say("%s", schedulerWords(sched, of))
	}
	if s.Note != "" {
		out.Say("Note: %s", show.Printable(s.Note))
	}
	for _, a := range s.Assumed {
		out.Say("Assumed: %s.", show.Printable(a.Says))
	}
	out.Say("")
}

// schedulerWords says which of several schedulers is planned, and which queues it manages.
func schedulerWords(sched *model.PBSScheduler, of int) string {
	what := "jobs without a partition"
	if sched.Name != model.DefaultScheduler {
		what = "partition " + sched.Partition
	}
	return fmt.Sprintf("scheduler %[2]s of %[1]d, for %[3]s (--scheduler chooses another one)",
		of, show.Printable(sched.Name), show.Printable(what))
}

// Assumptions lists sentences about missing facts, and about the assumptions in their place. It is nil if there
// are none.
func (s *Subject) Assumptions() (list []string) {
	for _, a := range s.Assumed {
		list = append(list, a.Says)
	}
	return list
}

// warnOfAssumptions warns of assumptions if the output is rows. Headers and JSON have them anyway.
func warnOfAssumptions(d *cli.Deps, s *Subject) {
	if d.Format == "json" || d.Output(os.Stdout).People() {
		return
	}
	for _, a := range s.Assumed {
		fmt.Fprintf(d.Warn(), "qprism: assumed: %s\n", show.Printable(a.Says))
	}
}

// Title names a cluster, its system and its release.
func Title(s *model.Snapshot) string {
	return show.Printable(fmt.Sprintf("%s, %s %s", Named(s.Cluster), s.System.Name(),
		cmp.Or(s.Release.Version, "(release unknown)")))
}

// Named returns the name of a cluster, or a text for a cluster without a name.
func Named(cluster string) string { return cmp.Or(cluster, "unnamed cluster") }

func Taken(out show.Output, s *model.Snapshot) string {
	if s.TakenAt.IsZero() {
		return ""
	}
	return ", taken " + out.Zoned(s.TakenAt)
}
