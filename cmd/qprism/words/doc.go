// Package words turns the reasons why jobs wait in a plan into sentences, in the words of Grid Engine or
// PBS.
//
// Its files:
//   - never.go: why a job can never run, and how to change that; a list of such jobs
//   - plan_words.go, plan_words_pbs.go: reasons of Grid Engine and of PBS, in full and in short
//   - cache.go: if several jobs have the same list of reasons, computes its words only once
//   - system.go: a System has the words of one batch system
package words
