// Package assume fills in what an ordinary user's commands do not say of a PBS cluster, and says what it
// took for granted. The server shows schedselect, queue_rank, accrue_type, euser and egroup to managers
// only, and only root reads the scheduler's files.
//
// Its files:
//   - assume.go: An Assumption is something that no file of a snapshot says, and what is taken in its place
//   - installed.go: Installed is what a scheduler does whose sched_config nobody has edited
//   - jobs.go: jobs fills in what the server shows of jobs to managers only
package assume
