// Package svg draws the resource diagram of a plan. Each queue instance and each consumable in use has a
// row, time runs from left to right, and a row shows the jobs that run, start or have a reservation, as
// high as their share of the resource.
//
// Its files, in the order of the work:
//   - svg.go: Draw and its steps
//   - collect.go: gathers the rows of a plan
//   - row.go: rows, and the blocks in them
//   - profile.go: what blocks book together over time
//   - choose.go: keeps as many rows as fit
//   - axis.go: the time that a picture shows
//   - text.go: labels, amounts and moments
package svg
