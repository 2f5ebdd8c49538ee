// Package words puts the reasons of a plan into words, and what the batch systems call things.
//
// Its files:
//   - never.go: Never says that a job can never run and what would have to change, in lines
//   - plan_words.go: A ReasonGroup is a reason that is the same at several places
//   - plan_words_pbs.go: shortPBSReason is what the scheduler logs, which administrators know
//   - system.go: A System holds the words of a batch system for what starts next
package words
