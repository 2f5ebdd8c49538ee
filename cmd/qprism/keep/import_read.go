package keep

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
)

// warnOfRead lists parts of a bundle that no parser uses, records that were left out, and places that were
// repaired.
func warnOfRead(w io.Writer, path string, s *model.Snapshot) {
	subject.WarnOfGaps(w, s)
	for i := range s.Unknown {
		if i == subject.MostWarnings {
			fmt.Fprintf(w, "qprism: %s: not used: %s more; --format json lists all\n", show.Printable(path),
				show.Plural(len(s.Unknown)-i, "part"))
			break
		}
		fmt.Fprintf(w, "qprism: %snot used: %s\n", within(path, s.Unknown[i].File), unknownText(&s.Unknown[i]))
	}
	repairs := s.Repairs()
	for i := range repairs {
		if !repairs[i].Guess { // WarnOfGaps lists the guesses
			fmt.Fprintf(w, "qprism: %srepaired %s\n", within(path, repairs[i].File), subject.RepairText(&repairs[i]))
		}
	}
}

// within names the bundle that a file is in; empty for a file that is given alone.
func within(path, file string) string {
	if filepath.Base(path) == file {
		return ""
	}
	return show.Printable(path) + ": "
}

func unknownText(u *model.Unknown) string {
	text := subject.LineOf(u.File, u.Line) + ": " + show.Printable(u.Name)
	switch {
	case u.Name != "file" || u.Line > 0:
	case u.Value != "":
		return show.Printable(u.File) + ": " + show.Printable(u.Value)
	default:
		text = show.Printable(u.File) + ": not a known listing, or a duplicate of another file"
	}
	if u.Value != "" {
		text += " " + show.Printable(u.Value)
	}
	if u.Count > 1 {
		text += fmt.Sprintf(" (%d times)", u.Count)
	}
	return text
}

// countText says how much of everything was read.
func countText(s *model.Snapshot) string {
	counted := func(n int, one, many string) string {
		if n == 1 {
			return "1 " + one
		}
		return fmt.Sprint(n, " ", many)
	}
	c := s.Counts()
	listed := func(kind, text string) string {
		if slices.Contains(s.NotListed(), kind) {
			return "no list of " + kind
		}
		return text
	}
	text := strings.Join([]string{show.Plural(c.Jobs, "job"), show.Plural(int(c.Running), "running task"),
		show.Plural(int(c.Waiting), "waiting task")}, ", ")
	return listed("jobs", text) + ", " +
		strings.Join([]string{listed("hosts", show.Plural(c.Hosts, "host")), show.Plural(c.Queues, "queue"),
			listed("queue instances", show.Plural(c.QueueInstances, "queue instance")),
			show.Plural(c.Resources, "resource"), counted(c.ShareTreeNodes, "node of the share tree", "nodes of the share tree"),
			counted(c.Ended, "ended task", "ended tasks")}, ", ")
}

// queueTexts writes the output of qstat -g c, a line for each cluster queue.
func queueTexts(s *model.Snapshot) (lines []string) {
	for _, q := range s.Summaries {
		lines = append(lines, fmt.Sprintf(
			"%s: %d of %s used, %d reserved, %d available, %d temporarily off, %d off.", show.Printable(q.Queue),
			q.Used, show.Plural(q.Total, "slot"), q.Reserved, q.Available, q.Off, q.Manual))
	}
	return lines
}

// countNames are the columns for programs.
var countNames = []string{">running", ">waiting", ">hosts", ">queues", ">instances", ">resources",
	">tree nodes", ">ended"}

// countTexts are the values of these columns.
func countTexts(s *model.Snapshot) (list []string) {
	c := s.Counts()
	for _, n := range []int{int(c.Running), int(c.Waiting), c.Hosts, c.Queues, c.QueueInstances,
		c.Resources, c.ShareTreeNodes, c.Ended} {
		list = append(list, fmt.Sprint(n))
	}
	return list
}

// jsonCounts are the counts of a snapshot as JSON.
type jsonCounts struct {
	Jobs           int   `json:"jobs"`
	Running        int64 `json:"running"`
	Waiting        int64 `json:"waiting"`
	Hosts          int   `json:"hosts"`
	Queues         int   `json:"queues"`
	QueueInstances int   `json:"queue_instances"`
	Resources      int   `json:"resources"`
	ShareTreeNodes int   `json:"share_tree_nodes"`
	Ended          int   `json:"ended"`
}

func countsJSON(s *model.Snapshot) jsonCounts { return jsonCounts(s.Counts()) }

// jsonRead is a bundle that was read, as JSON.
type jsonRead struct {
	Snapshot int64      `json:"snapshot"`
	Cluster  string     `json:"cluster"`
	System   string     `json:"system"`
	Release  string     `json:"release"`
	TakenAt  time.Time  `json:"taken_at"`
	Bundle   string     `json:"bundle"`
	Existed  bool       `json:"already_stored"`
	Counts   jsonCounts `json:"counts"`
	// Kinds that no file lists, so that a count of 0 says nothing.
	NotListed []string `json:"not_listed"`
	// What qstat -g c printed.
	ClusterQueues []jsonClusterQueue `json:"cluster_queues"`
	Missing       []string           `json:"missing"`
	Unused        []jsonPlace        `json:"unused"`
	LeftOut       []jsonPlace        `json:"left_out"`
	Repaired      []jsonPlace        `json:"repaired"`
}

// A jsonClusterQueue is a cluster queue with the slots of all its instances together.
type jsonClusterQueue struct {
	Queue     string           `json:"queue"`
	Load      float64          `json:"load"` // null where none is known
	Used      int              `json:"used"`
	Reserved  int              `json:"reserved"`
	Available int              `json:"available"`
	Total     int              `json:"total"`
	Off       int              `json:"temporarily_off"` // aoACDS
	Manual    int              `json:"off"`             // cdsuE
	States    []jsonStateSlots `json:"states"`          // with -ext
}

// jsonStateSlots are the slots that are off for a state.
type jsonStateSlots struct {
	State string  `json:"state"`
	Slots float64 `json:"slots"`
}

func clusterQueuesJSON(s *model.Snapshot) []jsonClusterQueue {
	list := []jsonClusterQueue{}
	for _, q := range s.Summaries {
		j := jsonClusterQueue{Queue: q.Queue, Load: q.Load, Used: q.Used, Reserved: q.Reserved, Available: q.Available,
			Total: q.Total, Off: q.Off, Manual: q.Manual}
		for _, state := range q.States {
			j.States = append(j.States, jsonStateSlots{state.Name, state.Value})
		}
		list = append(list, j)
	}
	return list
}

// A jsonPlace is a part of a file that was not read, or not as it stands.
type jsonPlace struct {
	File   string `json:"file"`
	Line   int    `json:"line"` // 0 for the whole file
	Name   string `json:"name,omitempty"`
	Text   string `json:"text,omitempty"`
	Reason string `json:"reason,omitempty"`
	Count  int    `json:"count,omitempty"`
}

func (k *KeptBundle) json(path string) jsonRead {
	s := k.Snapshot
	j := jsonRead{Snapshot: k.ID, Cluster: s.Cluster, System: s.System.Name(), Release: s.Release.String(),
		TakenAt: s.TakenAt, Bundle: path,
		Existed: k.Existed, Counts: countsJSON(s), NotListed: append([]string{}, s.NotListed()...),
		ClusterQueues: clusterQueuesJSON(s), Missing: append([]string{}, s.Missing...), Unused: []jsonPlace{},
		LeftOut:  []jsonPlace{},
		Repaired: []jsonPlace{}}
	for _, u := range s.Unknown {
		j.Unused = append(j.Unused, jsonPlace{File: u.File, Line: u.Line, Name: u.Name, Text: u.Value, Count: u.Count})
	}
	for _, l := range s.LeftOut {
		j.LeftOut = append(j.LeftOut, jsonPlace{File: l.File, Line: l.Line, Text: l.Text, Reason: l.Reason})
	}
	for _, r := range s.Repairs() {
		j.Repaired = append(j.Repaired, jsonPlace{File: r.File, Line: r.Line, Text: r.Text, Reason: r.Note, Count: r.Count})
	}
	return j
}
