package model

import "time"

// A ShareNode is a node of the share tree, share_tree(5).
type ShareNode struct {
	Name     string
	Project  bool // type=1
	Shares   uint32
	Children []*ShareNode
}

// A Usage is the usage of a user or project, as the master stored it.
type Usage struct {
	At       time.Time // Decayed is decayed up to this moment; zero for never
	Decayed  []Amount  // in the master's order
	LongTerm []Amount
}

// A User is a user object, user(5), with its usage in sge_share_mon.
type User struct {
	Name             string
	FunctionalShares uint32
	OverrideTickets  uint32
	DefaultProject   string
	DeleteTime       time.Time
	Usage            Usage
	Projects         []ProjectUsage // usage inside project subtrees
	Booked           []JobUsage     // booked usage of each job; in no bundle, so usually empty
}

// ProjectUsage is a user's usage within one project.
type ProjectUsage struct {
	Project           string
	Decayed, LongTerm []Amount
}

// JobUsage is the booked usage of one job.
type JobUsage struct {
	Job   uint32
	Usage []Amount
}

// A Project is a project object, project(5).
type Project struct {
	Name             string
	FunctionalShares uint32
	OverrideTickets  uint32
	ACL, XACL        []string
	Usage            Usage
	Booked           []JobUsage
}

// A Userset is an access list or department, access_list(5).
type Userset struct {
	Name             string
	ACL              bool // usable as an access list
	Department       bool
	FunctionalShares uint32
	OverrideTickets  uint32
	Entries          []string // users and "@groups"
}

// A ShareReport is one node in the output of sge_share_mon. Shares and levels have the printed digits.
type ShareReport struct {
	Path, User, Project      string
	At, UsageAt              time.Time
	Shares                   uint32
	JobCount                 int
	Level, Total             float64 // level%, total%
	LongTarget, ShortTarget  float64
	ActualShare, Usage       float64
	CPU, Mem, IO             float64
	LongCPU, LongMem, LongIO float64
}
