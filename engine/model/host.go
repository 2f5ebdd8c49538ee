package model

// GlobalHost is the name of the host for resources of the whole cluster.
const GlobalHost = "global"

// A Host is an execution host: its configuration (host_conf(5)) and its load (qhost -F).
type Host struct {
	Name         string
	Capacity     []Setting // complex_values
	LoadReport   []Setting // load_values: the last report of its execution daemon
	Processors   int       // as reported, 0 if not
	LoadScaling  []Amount
	UsageScaling []Amount
	ACL, XACL    []string // user_lists, xuser_lists
	Projects     []string
	XProjects    []string
	Reports      []string    // report_variables
	Load         []LoadValue // as printed by qhost or qstat -F
	Values       []Setting   // qhost's columns: arch_string, num_proc, load_avg, mem_total …; without "-"
	PBS          *PBSHost    // nil for Grid Engine
}

// A LoadValue is the value of a resource on a host or queue instance at the time of the bundle.
type LoadValue struct {
	Name      string
	Dominance string // qstat -F's two letters: level g h q, then l load, L shared load, c consumable, f fixed
	Value     string
}

// A HostGroup is a named list of hosts and other host groups, hostgroup(5).
type HostGroup struct {
	Name    string   // with its "@"
	Members []string // hosts and "@groups", as listed
}
