// Package doctor is the commands doctor and init: doctor tries every step of a set-up and says what to fix,
// init writes a configuration of serve for a cluster.
//
//   - doctor.go: the command doctor; prints what each step found
//   - steps.go: tries one cluster step by step
//   - init.go: the command init; asks questions and reports
//   - init_file.go: writes the configuration
//   - init_words.go: what init says, and the file that it writes
package doctor
