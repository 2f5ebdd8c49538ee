// Package compat has tables of the releases of Grid Engine. Releases differ in output formats and in quirks.
// A quirk is behavior that the manual does not mention, or that contradicts the manual. Most releases are
// based on an earlier release. The tables also say which one. Package engine/model/quirk says which release
// introduced or removed a quirk. To support a new release, add a file in this folder, an entry in the list
// Releases, and recordings of a master.
//
// Its files:
//   - release.go: a Release is a family of releases that behave the same
//   - quirks.go: the quirks of a release, which it inherits from the release before it
//   - ge.go: releases of Sun: up to 6.2u1, and 6.2u5
//   - sge_8_1_9.go: releases of Son of Grid Engine
//   - ocs_9_0.go: the first releases of Open Cluster Scheduler, which is based on 8.0, not on 8.1.9
//   - ocs_9_1.go: its later releases, whose scheduler searches for reservations in another way
package compat
