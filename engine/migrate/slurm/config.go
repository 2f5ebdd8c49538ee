package slurm

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/engine/slurm/multifactor"
)

// Configuration is the complete Slurm configuration.
func (t *Translation) Configuration() *model.SlurmConfig {
	c := t.Config
	c.Settings, c.Members = t.settings(), t.membership()
	return &c
}

// clusterName is the host in the name of a cluster, "host/cell".
func clusterName(s *model.Snapshot) string {
	if host, _, found := strings.Cut(s.Cluster, "/"); found && holds(host) {
		return host
	}
	return "cluster"
}

// nodesOf are the hosts with queue instances, each with the most slots that one of them has.
func nodesOf(s *model.Snapshot) (nodes []model.SlurmNode) {
	slots := map[string]int{}
	for i := range s.Instances {
		q := &s.Instances[i]
		slots[q.Host] = max(slots[q.Host], q.Slots)
	}
	for name, n := range slots {
		if n > 0 {
			nodes = append(nodes, model.SlurmNode{Name: name, CPUs: n})
		}
	}
	slices.SortFunc(nodes, func(a, b model.SlurmNode) int { return cmp.Compare(a.Name, b.Name) })
	return nodes
}

// settings are the lines of slurm.conf.
func (t *Translation) settings() (list []model.Setting) {
	p := &t.Policy
	set := func(name, value string) { list = append(list, model.Setting{Name: name, Value: value}) }
	set("PriorityType", "priority/multifactor")
	flags := "ACCRUE_ALWAYS" // Grid Engine counts all time since submission
	if !p.FairTree {
		flags += ",NO_FAIR_TREE"
	}
	set("PriorityFlags", flags)
	set("PriorityDecayHalfLife", days(t.HalfLife))
	if t.HalfLife == 0 && p.Fairshare > 0 {
		set("PriorityUsageResetPeriod", "YEARLY") // Slurm wants one of the two
	}
	set("PriorityMaxAge", days(p.MaxAge))
	set("PriorityFavorSmall", "NO")
	set("PriorityCalcPeriod", "1") // a minute after a start jobs have their age again (M10)
	for _, w := range []struct {
		name  string
		value uint32
	}{{"Age", p.Age}, {"Assoc", p.Assoc}, {"Fairshare", p.Fairshare}, {"JobSize", p.JobSize},
		{"Partition", p.Partition}, {"QOS", p.QOS}} {
		set("PriorityWeight"+w.name, itoa(w.value))
	}
	enforce := "associations"
	if len(t.Config.QOS) > 0 || p.Fairshare > 0 {
		// without limits nobody is charged for what a job ran since priorities were last computed (M13)
		enforce += ",limits,qos"
	}
	set("AccountingStorageEnforce", enforce)
	set("JobSubmitPlugins", "lua")
	return list
}

func itoa(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

// days is a time as slurm.conf(5) has it: "7-12:00:00", 0 for none.
func days(d time.Duration) string {
	if d <= 0 {
		return "0"
	}
	m := int64(d / time.Minute)
	return fmt.Sprintf("%d-%02d:%02d:00", m/1440, m/60%24, m%60)
}

// membership are the accounts of users, by project and user.
func (t *Translation) membership() (list []model.SlurmMember) {
	account := map[*multifactor.Assoc]string{}
	var below func(a *multifactor.Assoc)
	below = func(a *multifactor.Assoc) {
		for _, c := range a.Children {
			account[c] = a.Name
			below(c)
		}
	}
	below(t.Config.Root)
	for m, a := range t.Members {
		list = append(list, model.SlurmMember{Project: m.Project, User: m.User, Account: account[a]})
	}
	slices.SortFunc(list, func(a, b model.SlurmMember) int {
		return cmp.Or(cmp.Compare(a.Project, b.Project), cmp.Compare(a.User, b.User))
	})
	return list
}
