// Package doctor has the commands doctor and init. doctor tries every step of a setup and says what to fix.
// init writes the configuration of serve for a cluster.
//
//   - doctor.go: the command doctor; prints the finding of each step
//   - steps.go: tries one cluster step by step
//   - init.go: the command init; asks questions and reports
//   - init_file.go: writes the configuration
//   - init_words.go: the texts of init, and of the file that it writes
package doctor
