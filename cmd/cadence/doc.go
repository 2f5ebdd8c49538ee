// Package cadence runs the tasks of the command qprism serve. The package reads the configuration of serve.
// Cron lines in the configuration define the times of the tasks. The module robfig/cron reads the cron lines.
//
// Each cluster has a group of tasks, and the store (the database of snapshots) has a group too. A group runs
// one task at a time. Groups run in parallel, so a slow cluster does not delay the tasks of other clusters.
// But serve stores and audits only one snapshot at a time. A task can become due several times while its
// group is busy. The group then runs this task only once. When serve stops, it gives running tasks some time
// to end.
//
// Its files:
//   - config.go: Config is the file of serve
//   - endpoint.go: the addresses of the health endpoint and of the page, and who may use them
//   - alerts.go: who gets which messages
//   - yaml.go: reads YAML, and lists all mistakes with their lines
//   - cadence.go: Daemon runs groups of tasks
//   - loop.go: runs the tasks of one group
//   - health.go: the state of the daemon
package cadence
