// Package quirk lists the quirks of Grid Engine releases: what they do although their manual does not say it,
// or denies it. Package compat says which release has which. model.Quirks holds a switch for each.
//   - quirk.go: the quirks, those of priorities first, then those of dispatch
//   - claim.go: what a manual says instead
package quirk
