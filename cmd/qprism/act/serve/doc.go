// Package serve implements the command serve. The command runs tasks, for example captures. Cron lines in a
// configuration file define the times of the tasks. With --once, serve runs one task immediately and ends.
//
// Its files:
//   - serve.go: the command; reads the configuration, and runs until SIGTERM
//   - run_task.go: runs one task now, for cron
//   - tasks.go: the tasks of a cluster and of the store
//   - capture.go, audit.go, diff.go, push.go, drive.go: one task each
//   - figures.go: adds lines with figures to the tables in the cluster's reports
//   - alerts.go, intend.go: sends alerts; finds intentions that are no longer true
//   - health.go, systemd.go: the health endpoint; the watchdog messages for systemd
//   - page.go: the page, and figures for Prometheus
//   - acts.go, give_back.go: pushes that users request on the page; restores values that qprism drive
//     changed, if users request it
package serve
