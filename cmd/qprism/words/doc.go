// Package words turns reasons into sentences, in the words of Grid Engine or PBS. A reason says why a job
// does not start in a scheduler run that qprism planned.
//
// Its files:
//   - never.go: why a job can never run, and how to change that; a list of such jobs
//   - plan_words.go, plan_words_pbs.go: reasons of Grid Engine and of PBS, in full and in short
//   - cache.go: if several jobs have the same list of reasons, writes its sentences only once
//   - system.go: a System has the words of one batch system
package words
