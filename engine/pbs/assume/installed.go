package assume

import (
	"qprism/engine/model"
	"qprism/engine/model/schedconfig"
)

// installed are the options of the sched_config that PBS Pro 14 to OpenPBS 23 install, as far as a release
// obeys them all.
var installed = []model.SchedLine{
	{Name: "round_robin", Value: "False", Prime: "all"},
	{Name: "by_queue", Value: "True", Prime: "prime"},
	{Name: "by_queue", Value: "True", Prime: "non_prime"},
	{Name: "strict_ordering", Value: "false", Prime: "ALL"},
	{Name: "backfill_prime", Value: "false", Prime: "ALL"},
	{Name: "prime_exempt_anytime_queues", Value: "false"},
	{Name: "primetime_prefix", Value: "p_"},
	{Name: "nonprimetime_prefix", Value: "np_"},
	{Name: "dedicated_prefix", Value: "ded"},
	{Name: "node_sort_key", Value: "sort_priority HIGH", Prime: "ALL"},
	{Name: "provision_policy", Value: "aggressive_provision"},
	{Name: "resources", Value: "ncpus, mem, arch, host, vnode, aoe, eoe"},
	{Name: "smp_cluster_dist", Value: "pack"},
	{Name: "fair_share", Value: "false", Prime: "ALL"},
	{Name: "fairshare_usage_res", Value: "cput"},
	{Name: "fairshare_entity", Value: "euser"},
	{Name: "fairshare_decay_time", Value: "24:00:00"},
	{Name: "fairshare_decay_factor", Value: "0.5"},
	{Name: "preemptive_sched", Value: "true", Prime: "ALL"},
}

// Installed is the policy of the sched_config of a new installation. It has no lines.
func Installed() *schedconfig.Reading {
	x := schedconfig.New()
	for _, l := range installed {
		x.Line(l)
	}
	x.End()
	x.Config.Lines = nil
	return x
}
