// Package calendar says when the queues of a calendar are open, as the master works it out from calendar_conf(5).
//
// The master does not look a moment up. For every entry it asks whether the entry holds and when that changes next, and
// combines the answers; where entries overlap, or begin at midnight, this departs from the manual page, and queues
// stay closed that should be open. The package follows the master, so that its answers are what a cluster does.
//
// Its files:
//   - calendar.go: A State is what a calendar makes of its queues
//   - entry.go: An entry is one of a year or week line
//   - limit.go: limit is when an entry begins or ceases to hold, never if it does neither
//   - look.go: look is the state at a moment and when the master looks at the calendar again, which need not be a change
package calendar
