// Package serve is the command serve: the tasks of a configuration on cron lines, or one of them at once.
//
//   - serve.go: the command; reads the configuration, and runs until SIGTERM
//   - once.go: does one task now, for cron
//   - tasks.go: the tasks of a cluster and of the store
//   - capture.go, audit.go, diff.go, push.go, drive.go: one task each
//   - figures.go: adds figures to the tables of a cluster's reports
//   - alerts.go: tells people what they should know
//   - intend.go: alerts about sentences that do not hold
//   - health.go: the health endpoint
//   - systemd.go: tells systemd that serve is alive
//   - page.go: shows the page, and figures for Prometheus
//   - acts.go: sends what somebody asks for on the page
//   - give_back.go: gives back what drives hold, asked for on the page
package serve
