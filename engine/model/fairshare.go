package model

import "time"

// Fairshare is what a PBS scheduler knows about shares: its resource_group and usage files, and the options of
// sched_config that say how usage is counted.
type Fairshare struct {
	Groups []ResourceGroup // the lines of resource_group, in the order of the file
	Usage  FairshareUsage
	Policy FairsharePolicy
	Listed bool // there is no resource_group: pbsfs -p listed the tree
}

// A ResourceGroup is a line of resource_group that has four fields and two integers; other lines are no groups for the
// scheduler either. Whether its parent exists and its name is new, the fairshare tree decides.
type ResourceGroup struct {
	Line   int    // of the file, from 1
	Name   string // of a user, group, account or queue; or of a node of the tree that others are below
	Group  int32  // cresgroup: the number of the group of this node's children; shown, never followed
	Parent string // name of a node; "root" is TREEROOT
	Shares int32
}

// FairshareUsage is the scheduler's usage file.
type FairshareUsage struct {
	Version   float64   // 2; 1 for a file without header; 0 where there is no file
	LastDecay time.Time // zero for never, and in version 1
	Records   []EntityUsage
}

// EntityUsage is a record of the usage file: what a leaf of the tree has used, in units of fairshare_usage_res.
type EntityUsage struct {
	Name  string
	Usage float64
}

// FairsharePolicy holds the options of sched_config about fairshare. Whether fair_share is on depends on prime time and
// is no part of it.
type FairsharePolicy struct {
	UnknownShares   int32         // unknown_shares: shares of the group "unknown"
	UsageResource   string        // fairshare_usage_res: a formula over resources, "cput" by default
	Entity          string        // fairshare_entity: euser, egroup, Account_Name, queue or egroup:euser
	DecayTime       time.Duration // fairshare_decay_time
	DecayFactor     float32       // fairshare_decay_factor, between 0 and 1
	EnforceNoShares bool          // fairshare_enforce_no_shares: entities without a percentage never run
}

// DefaultFairsharePolicy is what holds where sched_config says nothing.
func DefaultFairsharePolicy() FairsharePolicy {
	return FairsharePolicy{UsageResource: "cput", Entity: "euser", DecayTime: 24 * time.Hour, DecayFactor: 0.5, EnforceNoShares: true}
}
