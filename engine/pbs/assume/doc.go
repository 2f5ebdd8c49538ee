// Package assume adds likely values for facts that a PBS cluster hides from ordinary users. The server shows
// schedselect, queue_rank, accrue_type, euser and egroup to managers only. Only root can read the files of
// the scheduler. The package also returns a list of its assumptions.
//
// Its files:
//   - assume.go: Fill makes the assumptions; an Assumption is one of them
//   - installed.go: Installed is the sched_config of a new installation
//   - jobs.go: attributes of jobs that only managers see
package assume
