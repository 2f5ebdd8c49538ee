package model

import "time"

// A SlurmConfig is how a Slurm cluster orders jobs: what slurm.conf(5), sacctmgr(1) and a script of the controller are told.
type SlurmConfig struct {
	Cluster  string    // ClusterName
	Settings []Setting // of slurm.conf
	Nodes    []SlurmNode
	Site     SlurmSite
	Root     *SlurmAssoc
	QOS      []SlurmQOS
	At       time.Time // of the usage
	Members  []SlurmMember
}

// A SlurmNode is a host with its processors.
type SlurmNode struct {
	Name string
	CPUs int
}

// A SlurmSite is how the site factor of a job is made: Offset - (Step - 1) * nice + Slot * tasks + what each license gives, rounded.
// With what nice takes away by itself, a step of nice is Step.
type SlurmSite struct {
	Offset   float64 // so that no sum of a job is below 1
	Step     float64 // of -p
	Slot     float64 // what each slot gives
	Furthest float64 // how far a site factor may be from 0
	Licenses []SlurmLicense
}

// A SlurmLicense stands for a resource of Grid Engine whose urgency counts: Slurm has no other word for an amount that a whole job
// asks for.
type SlurmLicense struct {
	Resource string  `json:"resource"` // as Grid Engine calls it
	Shortcut string  `json:"shortcut"`
	Name     string  `json:"name"`     // as Slurm does
	Unit     float64 `json:"unit"`     // amount of the resource that is one license
	PerSlot  bool    `json:"per_slot"` // jobs ask for it once for each slot
	Counted  bool    `json:"counted"`  // jobs ask for an amount
	Count    uint32  `json:"-"`        // that there are
	Each     float64 `json:"-"`        // what one gives to the site factor
}

// A SlurmAssoc is a node of the tree of associations: an account, or a user in an account.
type SlurmAssoc struct {
	Name     string
	User     bool
	Shares   uint32 // FairShare
	Parent   bool   // FairShare=parent: it has the shares and usage of the nearest account above that has shares of its own
	Usage    float64
	Priority uint32        // of the association; 0 for none
	Children []*SlurmAssoc // of an account; Usage is what it used itself, without theirs
}

// A SlurmQOS is a quality of service with its limits.
type SlurmQOS struct {
	Name   string
	Limits []Setting
}

// A SlurmMember says in which account a user's jobs of a project are; of no project where that is empty.
type SlurmMember struct{ Project, User, Account string }
