package subject

import (
	"qprism/cmd/qprism/show"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

// PrintHeader says which cluster, when, and by which rules.
func PrintHeader(out show.Output, s *Subject, m lastrun.Moment, known bool) {
	cluster := s.Cluster
	if cluster == "" {
		cluster = "unnamed cluster"
	}
	out.Say("%s, %s %s%s", show.Printable(cluster), s.Batch.Product(), show.Printable(Release(s.Snapshot)), Taken(out, s.Snapshot))
	if known {
		out.Say("scheduler run at %s UTC, known from %s; rules of %s", out.Moment(m.At), m.Source, s.Rules)
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
