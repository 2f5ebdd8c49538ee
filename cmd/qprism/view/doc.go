// Package view implements the command view, and the web page that view and serve show.
//
// On most paths below /api/v1, a request runs a command of qprism. The response is the output of this
// command. The output is CSV if the path ends in .csv, SVG if it ends in .svg, and JSON otherwise. On the
// other paths below /api/v1, the package makes the response without running a command. For example, it lists
// every job of the queue, with only a few values for each job. So the response is small, even for a long
// queue.
//
// The package holds the last four requested snapshots in memory, with the answers about each snapshot. So it
// computes an answer only once while the snapshot is in memory. If the four snapshots would have more than
// 100,000 jobs together, it holds fewer of them. If the answers about one snapshot need more than 64 MiB, the
// package deletes these answers.
//
// The package changes a cluster only through an Actor, which is an interface. The command serve provides an
// Actor if the configuration of serve allows changes from the page.
//
// Its files:
//   - view.go: the command
//   - listen.go: listens, with TLS if there is a certificate
//   - safe.go: refuses requests that come from other sites, and too many requests
//   - who.go: admits users by token, password or certificate
//   - page.go: answers requests for the page and for paths below /api/v1
//   - endpoints.go: the list of paths below /api/v1, which assets/openapi.json documents
//   - site.go: the bundles, or the store, that the page shows
//   - answers.go: computes and keeps the answers about one snapshot
//   - queue.go: the queue as the page lists it
//   - summary.go: a summary of the queue, and the waiting times
//   - bookings.go: which jobs use each queue instance or vnode, and when
//   - events.go: tells the page when the store has a new snapshot
//   - load.go: the load of the cluster and of its hosts; the backlog
//   - consumables.go: which jobs use consumables such as licenses, and which jobs request them
//   - whatif.go: the settings of the policy that users can change with sliders
//   - own.go: hides jobs of other users, if configured
//   - acts.go: changes that users request
//   - metrics.go: figures for Prometheus
//   - assets: the page; it needs no library and no build step, and shows names from clusters as plain text
//     only
package view
