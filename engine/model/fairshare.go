package model

import "time"

// Fairshare has the scheduler's shares and usage: the files resource_group and usage, and the options of
// sched_config about usage.
type Fairshare struct {
	Groups []ResourceGroup // the lines of resource_group, in the order of the file
	Usage  FairshareUsage
	Policy FairsharePolicy
	Listed bool // there is no resource_group; the tree is that of pbsfs -p
}

// A ResourceGroup is a line of resource_group with four fields, two of them integers. The scheduler ignores
// other lines, too. The fairshare tree decides whether its parent exists and its name is new.
type ResourceGroup struct {
	Line   int    // of the file, from 1
	Name   string // of a user, group, account or queue; or of an inner node
	Group  int32  // cresgroup: the number of its children's group; shown, but never used
	Parent string // name of a node; "root" is TREEROOT
	Shares int32
}

// FairshareUsage is the scheduler's usage file.
type FairshareUsage struct {
	Version   float64   // 2; 1 for a file without header; 0 without a file
	LastDecay time.Time // zero for never, and in version 1
	Records   []EntityUsage
}

// EntityUsage is a record of the usage file: the usage of a leaf, in units of fairshare_usage_res.
type EntityUsage struct {
	Name  string
	Usage float64
}

// FairsharePolicy has the options of sched_config about fairshare, except fair_share, which depends on
// primetime.
type FairsharePolicy struct {
	UnknownShares   int32         // unknown_shares: shares of the group "unknown"
	UsageResource   string        // fairshare_usage_res: a formula over resources, "cput" by default
	Entity          string        // fairshare_entity: euser, egroup, Account_Name, queue or egroup:euser
	DecayTime       time.Duration // fairshare_decay_time
	DecayFactor     float32       // fairshare_decay_factor, between 0 and 1
	EnforceNoShares bool          // fairshare_enforce_no_shares: entities without a percentage never run
}

// DefaultFairsharePolicy is the policy if sched_config has no options.
func DefaultFairsharePolicy() FairsharePolicy {
	return FairsharePolicy{UsageResource: "cput", Entity: "euser", DecayTime: 24 * time.Hour,
		DecayFactor: 0.5, EnforceNoShares: true}
}
