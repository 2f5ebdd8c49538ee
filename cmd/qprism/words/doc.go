// Package words has the words for reasons of a plan, and each system's names.
//
// Its files:
//   - never.go: a job that can never run, and what must change; such jobs in a list
//   - plan_words.go, plan_words_pbs.go: reasons of Grid Engine and PBS, in full and in short
//   - once.go: computes the words of a shared list of reasons once
//   - system.go: a System has the words of one batch system
package words
