// Package calendar computes when queues with a calendar (calendar_conf(5)) are open.
//
// For every entry of the calendar, the master computes whether the entry applies now, and when this changes
// next. Then the master combines the results of all entries. If entries overlap or begin at midnight, the
// master does not follow the manual page: it keeps some queues closed that the manual page opens. Package
// calendar does the same as the master.
//
// Its files:
//   - calendar.go: State, Change, and At, which answers for a moment
//   - entry.go: one entry of a year or week line
//   - limit.go: when an entry begins or ends
//   - look.go: the state at a moment, and when the master looks at the calendar again
package calendar
