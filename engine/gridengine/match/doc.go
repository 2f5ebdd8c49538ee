// Package match decides whether a name matches a pattern of Grid Engine. The package supports the expressions
// of sge_types(1) for strings and host names. It also supports queue and host lists, access lists, and the
// filters of resource quota rules.
//
// The package ignores the domain and the case of host names. A master does the same with "ignore_fqdn true"
// in bootstrap(5), which is the default of an installation. A bundle does not contain the setting
// ignore_fqdn. So on a cluster with "ignore_fqdn false", the package may treat two different host names as
// equal.
//
// Its files:
//   - parser.go: reads an expression (not, and, or, parentheses) into a tree
//   - expression.go: Pattern compares a value with an expression
//   - hosts.go: Hosts resolves host groups, hostgroup(5)
//   - queues.go: QueueList is a list of queues, as for -q and -masterq
//   - usersets.go: Usersets are the access lists, access_list(5)
//   - filter.go: one filter of a quota rule: names and lists, with wildcards
//   - quota.go: Quota finds the rule that applies, sge_resource_quota(5)
package match
