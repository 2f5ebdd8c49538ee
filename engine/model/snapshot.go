package model

import (
	"strings"
	"time"
)

// A Snapshot is the content of one bundle: one cluster at one moment.
//
// The order of every slice is the order in which the master printed the objects. Its scheduler uses the same
// order, unless a bundle shows otherwise.
type Snapshot struct {
	System   System    // the system whose rules apply
	Cluster  string    // master host and cell, "master/default"; empty if the bundle lacks it
	Identity Identity  // facts of the bundle that distinguish the cluster from others with its name
	Release  Release   // product and version of the master
	TakenAt  time.Time // time of the bundle, with microseconds
	ListedAt time.Time // end of the last listing of jobs, by the clock of TakenAt; zero if the bundle lacks it
	Note     string    // a note in MANIFEST for readers, such as that no master printed this; empty for none
	// UTC offset of printed local times, "+0200"; empty for UTC, "unknown" if not known and UTC is assumed
	Location string

	Jobs        []Job  // in the master's order if qstat -j shows it, else by number
	Hosts       []Host // execution hosts; "global" has resources of the whole cluster
	HostGroups  []HostGroup
	Queues      []Queue         // cluster queues
	Instances   []QueueInstance // queue instances, queue by queue
	Summaries   []QueueSummary  // output of qstat -g c, if captured
	Resources   []Resource      // complex entries
	PEs         []PE
	Quotas      []QuotaSet
	Calendars   []Calendar
	Checkpoints []Checkpoint
	Users       []User
	Projects    []Project
	Usersets    []Userset // access lists and departments
	ShareTree   *ShareNode
	ShareReport []ShareReport // output of sge_share_mon, node by node
	Policy      Policy
	Config      Config
	Reserved    []AdvanceReservation
	Runs        []RunRecord // the sections of the schedule file
	Trace       []TraceLine // scheduler lines of the messages file
	Ended       []EndedTask // the newest records of the accounting file, in its order

	PBS *PBS // only for PBS and Torque; nil for Grid Engine

	Managers, Operators, AdminHosts, SubmitHosts []string
	EventClients                                 []string // raw lines of qconf -secl

	Has      []string  // files of the bundle, sorted
	Missing  []string  // known files that this bundle lacks, sorted
	Unknown  []Unknown // unknown keys and elements, unchanged
	Repaired []Repair  // Grid Engine: corrections and guesses of the importer
	LeftOut  []LeftOut // records that could not be read and were left out (--keep-going)
}

// Zone is the time zone of local times, by its offset from UTC. For a zone with summer time, only the offset
// at the time of the snapshot is known.
func (s *Snapshot) Zone() *time.Location {
	t, err := time.Parse("-0700", s.Location)
	if err != nil {
		return time.UTC
	}
	_, east := t.Zone()
	if east == 0 {
		return time.UTC
	}
	return time.FixedZone(s.Location, east)
}

// HasFile reports whether the bundle had the file. If name ends in "/", any file of the folder counts, and so
// does the file with all its objects: "users.txt" for "users/".
func (s *Snapshot) HasFile(name string) bool {
	folder, isFolder := strings.CutSuffix(name, "/")
	for _, f := range s.Has {
		if f == name || isFolder && (f == folder+".txt" || len(f) > len(name) && strings.HasPrefix(f, name)) {
			return true
		}
	}
	return false
}

// JobsByNumber are the jobs by number. A PBS array and its subjobs share a number; the last one counts.
func (s *Snapshot) JobsByNumber() map[uint32]*Job {
	m := make(map[uint32]*Job, len(s.Jobs))
	for i := range s.Jobs {
		m[s.Jobs[i].Number] = &s.Jobs[i]
	}
	return m
}

// TreeKnown reports whether the snapshot shows if there is a share tree. It does not if share_tree.txt is
// missing or cannot be read.
func (s *Snapshot) TreeKnown() bool {
	for i := range s.LeftOut {
		if s.LeftOut[i].File == "share_tree.txt" {
			return false
		}
	}
	return s.ShareTree != nil || s.HasFile("share_tree.txt")
}

// A Release is the product and version of a master, from the first line of qstat -help.
type Release struct {
	Product string // "SGE", "GE", "UGE", "OCS", "PBS", "Torque"; empty if unknown
	Version string // "8.1.9", "6.2u5", "23.06.06"
}

// HidesTaskLimits reports whether qstat -j of a release does not print -tc, although the release has it:
// 6.2u2 to 6.2u8, and 8.0.
func (r Release) HidesTaskLimits() bool {
	return strings.HasPrefix(r.Version, "6.2u") && r.Version != "6.2u1" || strings.HasPrefix(r.Version, "8.0") ||
		r.Version == "" && r.Product == "GE"
}

func (r Release) String() string {
	if r.Version == "" {
		return "unknown"
	}
	return r.Version
}

// Unknown is an unknown key or element with its value.
type Unknown struct {
	File  string
	Line  int // of the first occurrence
	Name  string
	Value string // of the first occurrence
	Count int
}

// LeftOut is a record that could not be read and that --keep-going skipped.
type LeftOut struct {
	File   string
	Line   int
	Text   string
	Reason string
}
