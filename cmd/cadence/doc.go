// Package cadence does things on cron lines, for as long as the program runs: what qprism serve is made of.
//
// Tasks come in groups: those of a cluster, those of the store. A group does one thing at a time, so that runs of a cluster never
// overlap, and groups do not wait for each other, so that a cluster that hangs delays no other. A task that was due several times while
// its group was busy is done once. When the daemon is told to stop, what runs is given some time to come to an end.
//
// What the tasks do is for others to say; nothing here knows of clusters but their names.
//
// Its files:
//   - alerts.go: Alerts say who is told at once, how, and of what
//   - cadence.go: A Task is done again and again, when its schedule says
//   - config.go: A Config says what a daemon does
//   - endpoint.go: An Endpoint says where the health endpoint listens, and who may ask it
//   - health.go: A Health is how a daemon does
//   - loop.go: A loop does the tasks of one group, one at a time
//   - yaml.go: A Problem is something wrong in a file
package cadence
