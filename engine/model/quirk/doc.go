// Package quirk describes the quirks of Grid Engine releases. A quirk is behavior that the manual does not
// mention, or that contradicts the manual. Package compat says which release has which quirk. The type
// model.Quirks has a switch for each quirk.
//
// Its files:
//   - quirk.go: the quirks, those of priorities first, then those of dispatch
//   - claim.go: the behavior that a manual promises instead
package quirk
