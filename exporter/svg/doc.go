// Package svg draws the resource diagram of a plan: a row for each queue instance and each consumable in use, time from
// left to right, and in every row the jobs that run, start or have a reservation, as high as their share of the resource.
//
// Its files:
//   - svg.go: Draw writes the diagram of a plan's schedule lines as an SVG document
//   - axis.go: An axis is the time that a picture shows, in Unix seconds
//   - choose.go: choose keeps as many rows as fit
//   - collect.go: A collector gathers the rows of a plan
//   - profile.go: A profile is what blocks book together, from each of its moments on
//   - row.go: A row is one resource at one place
//   - text.go: px is a length in pixels, with no more digits than can be seen
package svg
