// Package match decides what the patterns of a cluster select: the expressions of sge_types(1) over strings and host
// names, queue and host lists, access lists, and the filters of resource quota rules.
//
// Host names are compared without their domain and whatever their case, as ignore_fqdn true of bootstrap(5) says. That
// is what an installation gets by default, and no bundle says otherwise.
//
// Its files:
//   - expression.go: Expression compares a value of a string type with an expression
//   - filter.go: A userEntry is a name with wildcards, or "@" and the name of a list with wildcards
//   - hosts.go: Hosts resolves host groups, hostgroup(5)
//   - parser.go: A parser reads or = and { "|" and } and = simple { "&" simple } simple = "!" simple | "(" or ")" | word where blanks may
//     stand between all of these, and end a word
//   - queues.go: A QueueList is a list of queues as -q and -masterq take it
//   - quota.go: A Quota is who would use what where, as the filters of sge_resource_quota(5) see it
//   - usersets.go: Usersets knows who is in which access list, access_list(5)
package match
