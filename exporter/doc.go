// Package exporter makes a cluster do what was decided: plan → differences → orders → commands → record.
//
// A push is stored before its first command, with what undoes it. Its orders are then sent in few remote executions, read
// back, and after the next scheduler run the master's order is compared with the wanted one. Send, Resume and Undo are the
// three ways to begin; what one system's commands are called, and how they answer, is for the packages below.
//
// From an order that is wanted to one that holds:
//
//  1. The wanted order comes from a file, a program or a policy. assign.Steer asks for the native order with every job's sum but for its
//     priority, and finds priorities: job by job it keeps each priority that the job can have with the fewest changes so far (fewest), lets
//     changed jobs share priorities (share), tries all ways where there are few jobs (exact), and moves priorities towards 0 (gentle).
//  2. Altering a job moves it to the end of the scheduler's list, and tickets with it. So steer.Run recomputes the order with
//     engine/gridengine/priority after the changes, in the order of the commands, and priorities are planned anew until it comes out. Of
//     PBS, steer.Cycle sorts a cycle with the changed resource.
//  3. exporter.Pusher refuses what must not be sent: the snapshot forbids it or is old, too many changes, no rights, another push open,
//     the lock or stop file of somebody else, jobs that somebody else has altered since.
//  4. The push is stored. Each batch of orders is stored as sent, sent in one execution, and stored again with the master's words.
//  5. The next scheduler run is awaited (a job's npprior tells that its new -p was taken), all is read back, and every order gets its
//     last state. StandingOf holds the order of what still waits against the wanted one, and DriftOf the terms of each displaced job
//     against those that were expected.
//  6. After an interruption, what the master has now decides: an order that arrived is confirmed, one that did not is sent again. Undo
//     is a push of its own with the inverse orders; it leaves alone what somebody else changed since.
//
// # Files
//
//   - age.go: Age is a *StaleError where a snapshot is older than one interval of the scheduler, counted from when its jobs had been
//     listed, or was taken after now
//   - controller.go: A Controller is one who changes a cluster
//   - driven.go: driven are the planned orders for jobs that are driven
//   - exporter.go: A Runner runs commands where the cluster's clients are installed
//   - hostlock.go: takeHostLock takes the lock of a name in a folder of the host that a runner reaches, or is refused with the name of
//     who has it
//   - assigned.go: A PriorityChange is the new priority of a job
//   - recognize.go: Recognize asks the cluster that is reached who it is, and refuses what is for another one, or for one that cannot be
//     told from others
//   - refuse.go: A RefusalError says why nothing was sent
//   - release.go: A Restorer is a system whose values cannot be set job by job, for each order changes two jobs
//   - result.go: A Result is what a command printed, and its exit status
//   - send.go: Send stores a push, sends its orders, awaits the next scheduler run and reads back what became of each
//   - standing.go: A Standing says how the master's order of waiting jobs stands to the wanted one
//   - verify.go: Wait sleeps for a time, or until the context ends
//   - whose.go: Whose says who owns a job and when it was submitted, in one form for what was planned and what the master says
package exporter
