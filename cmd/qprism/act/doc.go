// Package act gathers the commands that change a cluster, and those that set it up for that. It holds the
// tests that run several of them against real masters.
//
//   - group.go: the commands, and what they print in JSON
package act
