// Package qconf reads configuration as qconf prints it. Each kind of object has a table of importer/fields.
// Read has the order of the steps.
//
// What all objects share:
//   - config.go: Read, and files cut into objects
//   - lines.go, values.go: lines of a file; the forms of values
//
// Objects, one manual page each:
//   - objects.go: users, projects, usersets, hosts, host groups, parallel environments, checkpoints
//   - sched_conf.go, conf.go, complex.go, calendar.go, quota.go, share_tree.go, lists.go: one each
//   - queue_conf.go, queue_instance.go, hostgroup.go: queues, and the queue instances that follow from host groups
//
// Files outside of a reading:
//   - change.go: one value of the policy changed; files that are in no bundle
//   - config_lines.go: every line of a configuration file with what it says
package qconf
