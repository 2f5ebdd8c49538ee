// Package svg draws the resource diagram of a plan. Each queue instance and each used consumable has a row.
// Time runs from left to right. A row shows running, starting and reserved jobs as blocks. The height of a
// block is the amount of the resource that the job uses.
//
// Its files, in the order of the steps:
//   - svg.go: Draw and its steps
//   - collect.go: gathers the rows of a plan
//   - row.go: rows, and the blocks in them
//   - profile.go: the sum of the blocks over time
//   - choose.go: keeps the rows that fit
//   - axis.go: the time axis
//   - text.go: labels, amounts and moments
package svg
