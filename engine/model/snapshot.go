package model

import (
	"strings"
	"time"
)

// A Snapshot is what one bundle says of one cluster at one moment.
//
// The order of every slice is meaningful: it is the order in which the master printed the objects, which is the order
// in which its scheduler walks them unless a bundle shows otherwise.
type Snapshot struct {
	System   System    // whose rules the jobs follow
	Cluster  string    // master host and cell, "master/default"; empty where the bundle does not say
	Identity Identity  // what tells the cluster from others of its name, as far as the bundle says
	Release  Release   // product and version of the master
	TakenAt  time.Time // when the bundle was taken, microseconds kept
	ListedAt time.Time // when the last listing of jobs had ended, by the clock of TakenAt; zero where the bundle does not say
	Note     string    // what MANIFEST says to who looks at the snapshot, such as that no master printed it; empty for nothing
	Location string    // UTC offset of the printed local times, "+0200"; empty means UTC, "unknown" that nothing tells and UTC is taken

	Jobs        []Job  // as the master's job list, where qstat -j shows it; else by number
	Hosts       []Host // execution hosts; the one named "global" holds cluster-wide resources
	HostGroups  []HostGroup
	Queues      []Queue         // cluster queues
	Instances   []QueueInstance // queue instances, queue by queue
	Summaries   []QueueSummary  // what qstat -g c printed, where it was captured
	Resources   []Resource      // complex entries
	PEs         []PE
	Quotas      []QuotaSet
	Calendars   []Calendar
	Checkpoints []Checkpoint
	Users       []User
	Projects    []Project
	Usersets    []Userset // access lists and departments
	ShareTree   *ShareNode
	ShareReport []ShareReport // what sge_share_mon printed, node by node
	Policy      Policy
	Config      Config
	Reserved    []AdvanceReservation
	Runs        []RunRecord // the sections of the schedule file
	Trace       []TraceLine // scheduler lines of the messages file
	Ended       []EndedTask // the newest records of the accounting file, in its order

	PBS *PBS // what only PBS and Torque have; nil for Grid Engine

	Managers, Operators, AdminHosts, SubmitHosts []string
	EventClients                                 []string // raw lines of qconf -secl

	Has      []string  // bundle files this snapshot was read from, sorted
	Missing  []string  // bundle files that the layout knows and this bundle lacks, sorted
	Unknown  []Unknown // keys and elements that no parser knows, kept as they were
	Repaired []Repair  // of Grid Engine: what the importer set right, or had to guess
	LeftOut  []LeftOut // records that could not be read and were left out with --keep-going
}

// Zone is the time zone of the local times that the cluster prints, by its offset from UTC. One that moves its clocks in summer is
// known only as it was then.
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

// HasFile reports whether the bundle held the file. Where name ends in "/", any file of the folder counts, and so does
// the one file that holds all its objects: "users.txt" for "users/".
func (s *Snapshot) HasFile(name string) bool {
	folder, isFolder := strings.CutSuffix(name, "/")
	for _, f := range s.Has {
		if f == name || isFolder && (f == folder+".txt" || len(f) > len(name) && strings.HasPrefix(f, name)) {
			return true
		}
	}
	return false
}

// JobsByNumber are the jobs by their number. Subjobs of a PBS array have that of the array; the last one stands for all.
func (s *Snapshot) JobsByNumber() map[uint32]*Job {
	m := make(map[uint32]*Job, len(s.Jobs))
	for i := range s.Jobs {
		m[s.Jobs[i].Number] = &s.Jobs[i]
	}
	return m
}

// TreeKnown reports whether the snapshot tells if there is a share tree: a bundle that lacks share_tree.txt, or has one that cannot be
// read, does not.
func (s *Snapshot) TreeKnown() bool {
	for i := range s.LeftOut {
		if s.LeftOut[i].File == "share_tree.txt" {
			return false
		}
	}
	return s.ShareTree != nil || s.HasFile("share_tree.txt")
}

// A Release names the product and version of a master, as the first line of qstat -help prints them.
type Release struct {
	Product string // "SGE", "GE", "UGE", "OCS", "PBS", "Torque"; empty where unknown
	Version string // "8.1.9", "6.2u5", "23.06.06"
}

// HidesTaskLimits reports whether qstat -j of a release does not print -tc: 6.2u2 to 6.2u8 and 8.0, which know it.
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

// Unknown is a key or element that the importer does not know, with its value.
type Unknown struct {
	File  string
	Line  int // of the first occurrence
	Name  string
	Value string // of the first occurrence
	Count int
}

// LeftOut is a record that could not be read and that --keep-going left out of the snapshot.
type LeftOut struct {
	File   string
	Line   int
	Text   string
	Reason string
}
