// Package qconf reads the configuration that qconf(1) prints. For each kind of object, a table (fields.Table)
// lists the keys. For each key, the table has a function that reads the value.
//
// Files for all objects:
//   - config.go: Read, and the division of files into objects
//   - lines.go, values.go: lines of a file; the formats of values
//
// Files for objects, by manual page:
//   - objects.go: users, projects, usersets, hosts, host groups, parallel environments, checkpoints
//   - sched_conf.go, conf.go, complex.go, calendar.go, quota.go, share_tree.go, lists.go: one kind of
//     object each
//   - queue_conf.go, queue_instance.go, hostgroup.go: queues, and the queue instances that follow from host
//     groups
//
// Files for other uses:
//   - change.go: changes one value of the policy
//   - config_lines.go: every line of a configuration file with its meaning
package qconf
