// Package calendar says when the queues of a calendar are open, by calendar_conf(5) and as the master
// computes it.
//
// The master asks every entry of the calendar two questions: does it hold now, and when does that change
// next? Then it combines the answers. If entries overlap or begin at midnight, the result differs from the
// manual page: queues stay closed that should be open. This package follows the master.
//
// Its files:
//   - calendar.go: State, Change, and At, which answers for a moment
//   - entry.go: one entry of a year or week line
//   - limit.go: when an entry begins or ends
//   - look.go: the state at a moment, and when the master looks at the calendar again
package calendar
