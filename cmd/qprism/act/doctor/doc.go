// Package doctor implements the commands doctor and init. The command doctor tries every step that push,
// drive and serve need, and says how to correct a failure. The command init asks questions and writes the
// configuration of serve for a cluster.
//
// Its files:
//   - doctor.go: the command doctor; prints the result of each step
//   - steps.go: tries the steps of one cluster
//   - init.go: the command init; asks the questions and reports
//   - init_file.go: writes the configuration
//   - init_words.go: the texts of init and of the file that it writes
package doctor
