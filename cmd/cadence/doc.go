// Package cadence runs tasks on cron lines (robfig/cron), and reads the configuration of qprism serve that
// names them.
//
// Tasks come in groups: one for each cluster, and one for the store. A group does one thing at a time, so
// runs of a cluster never overlap. Groups do not wait for each other, so a cluster that hangs delays no
// other. A task that was due several times while its group was busy runs once. When the daemon is told to
// stop, running tasks get some time to end.
//
//   - config.go: Config is the file of serve
//   - endpoint.go: where health and page listen, and who may ask
//   - alerts.go: who is told of what
//   - yaml.go: reads YAML, and lists all mistakes with their lines
//   - cadence.go: Daemon runs groups of tasks
//   - loop.go: runs the tasks of one group
//   - health.go: how the daemon does
package cadence
