package model

import "time"

// A SlurmConfig is the job order of a Slurm cluster: settings for slurm.conf(5), sacctmgr(1) and a script of
// the controller.
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

// A SlurmNode is a host and its processors.
type SlurmNode struct {
	Name string
	CPUs int
}

// A SlurmSite says how to compute the site factor of a job: Offset - (Step - 1) * nice + Slot * tasks + a
// part for each license, rounded. Slurm itself also subtracts nice, so one step of nice changes the priority
// by Step in total.
type SlurmSite struct {
	Offset   float64 // keeps the sum of each job at 1 or more
	Step     float64 // of -p
	Slot     float64 // for each slot
	Furthest float64 // greatest distance of a site factor from 0
	Licenses []SlurmLicense
}

// A SlurmLicense represents a Grid Engine resource with urgency. Licenses are the only amounts in Slurm for a
// whole job.
type SlurmLicense struct {
	Resource string  `json:"resource"` // name in Grid Engine
	Shortcut string  `json:"shortcut"`
	Name     string  `json:"name"`     // name in Slurm
	Unit     float64 `json:"unit"`     // amount of the resource for one license
	PerSlot  bool    `json:"per_slot"` // jobs ask for it per slot
	Counted  bool    `json:"counted"`  // jobs ask for an amount
	Count    uint32  `json:"-"`        // number of licenses
	Each     float64 `json:"-"`        // its part of the site factor
}

// A SlurmAssoc is a node of the tree of associations: an account, or a user in an account.
type SlurmAssoc struct {
	Name     string
	User     bool
	Shares   uint32 // FairShare
	Parent   bool   // FairShare=parent: it uses shares and usage of the nearest account above with shares of its own
	Usage    float64
	Priority uint32        // of the association; 0 for none
	Children []*SlurmAssoc // for an account; Usage is its own, without theirs
}

// A SlurmQOS is a quality of service with limits.
type SlurmQOS struct {
	Name   string
	Limits []Setting
}

// A SlurmMember is the account for a user's jobs of a project, or of no project if Project is empty.
type SlurmMember struct{ Project, User, Account string }
