// Package compat holds, as data, what the releases of a system do differently: their formats and their
// quirks. A release names the one before it and what it changes; a further one is a file of its own here,
// an entry of Releases, and its recordings.
//
// Its files:
//   - ge.go: ge61 are the releases of Sun up to 6.2u1
//   - ocs_9_0.go: ocs90 are the first releases of Open Cluster Scheduler, which comes from 8.0 and not from
//     8.1.9
//   - ocs_9_1.go: ocs91 are the releases of Open Cluster Scheduler whose scheduler searches reservations by
//     themselves
//   - quirks.go: Has reports whether a release has a quirk, by what it comes from
//   - release.go: A Release is a family of releases that behave the same
//   - sge_8_1_9.go: sge819 are the releases of Son of Grid Engine
package compat
