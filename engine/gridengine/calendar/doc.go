// Package calendar computes when queues with a calendar are open, by calendar_conf(5) and as the master
// computes it.
//
// The master asks every entry of the calendar two questions: does the entry apply now, and when does that
// change next? Then it combines the answers. If entries overlap or begin at midnight, the result differs
// from the manual page: some queues stay closed although the manual page opens them. This package follows
// the master.
//
// Its files:
//   - calendar.go: State, Change, and At, which answers for a moment
//   - entry.go: one entry of a year or week line
//   - limit.go: when an entry begins or ends
//   - look.go: the state at a moment, and when the master looks at the calendar again
package calendar
