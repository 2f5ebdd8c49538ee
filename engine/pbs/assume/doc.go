// Package assume fills in facts of a PBS cluster that an ordinary user's commands do not show, and lists
// its assumptions. The server shows schedselect, queue_rank, accrue_type, euser and egroup to managers
// only. Only root can read the scheduler's files.
//
// Its files:
//   - assume.go: Fill makes the assumptions; an Assumption is one of them
//   - installed.go: Installed is the sched_config of a new installation
//   - jobs.go: attributes of jobs that only managers see
package assume
