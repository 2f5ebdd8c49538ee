// Package serve is the command serve: it runs the tasks of a configuration by cron lines, or one of them at
// once.
//
//   - serve.go: the command; reads the configuration, and runs until SIGTERM
//   - once.go: runs one task now, for cron
//   - tasks.go: the tasks of a cluster and of the store
//   - capture.go, audit.go, diff.go, push.go, drive.go: one task each
//   - figures.go: adds figures to the tables of a cluster's reports
//   - alerts.go, intend.go: alerts for people; alerts about sentences that do not hold
//   - health.go, systemd.go: the health endpoint; signs of life for systemd
//   - page.go: the page, and figures for Prometheus
//   - acts.go, give_back.go: changes that users ask for on the page: pushes; values of drives to restore
package serve
