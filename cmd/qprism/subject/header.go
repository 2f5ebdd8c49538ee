package subject

import (
	"time"

	"qprism/cmd/qprism/show"
	"qprism/engine/model"
)

// PrintHeader says which cluster, when the run was and what shows that, and by which rules; of a run at no known moment only which cluster.
func PrintHeader(out show.Output, s *Subject, at time.Time, source string) {
	cluster := s.Cluster
	if cluster == "" {
		cluster = "unnamed cluster"
	}
	out.Say("%s, %s %s%s", show.Printable(cluster), s.Batch.Product(), show.Printable(Release(s.Snapshot)), Taken(out, s.Snapshot))
	if !at.IsZero() {
		out.Say("scheduler run at %s UTC, known from %s; rules of %s", out.Moment(at), source, s.Rules)
	}
	out.Say("")
}

func Release(s *model.Snapshot) string {
	if s.Release.Version == "" {
		return "of unknown release"
	}
	return s.Release.Version
}

func Taken(out show.Output, s *model.Snapshot) string {
	if s.TakenAt.IsZero() {
		return ""
	}
	return ", taken " + out.Moment(s.TakenAt) + " UTC"
}
