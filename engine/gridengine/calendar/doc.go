// Package calendar computes when queues with a calendar (calendar_conf(5)) are open.
//
// For every entry of the calendar, the master computes two things: whether the entry applies now, and how
// long this answer stays the same. Then the master combines the results of all entries. If entries overlap or
// begin at midnight, the master does not follow the manual page. The master then keeps some queues closed,
// although the manual page says that these queues are open. Package calendar does the same as the master.
//
// Its files:
//   - calendar.go: At says whether queues are open at a moment (a State), and when this changes (a Change)
//   - entry.go: one entry of a year or week line
//   - limit.go: when an entry begins or ends
//   - look.go: the state at a moment, and when the master looks at the calendar again
package calendar
