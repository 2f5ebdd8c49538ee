// Package view implements the command view, and the web page that view and serve show.
//
// A request to a path below /api/v1 runs a command of qprism. The response is the JSON output of this
// command. The package reads a bundle or stored snapshot once, and computes each answer about this snapshot
// once. For the list of jobs in the queue, the response has a shorter format, because a queue can be long.
// Only code behind the interface Actor can change a cluster. serve has an Actor if its configuration allows
// changes from the page.
//
// Its files:
//   - view.go: the command
//   - listen.go: listens, with TLS if there is a certificate
//   - safe.go: refuses requests that come from other sites, and too many requests
//   - who.go: admits users by token, password or certificate
//   - page.go: serves the page and the questions below /api/v1
//   - endpoints.go: all questions below /api/v1, as assets/openapi.json documents them
//   - site.go: the bundles, or the store, that the page shows
//   - answers.go: computes and keeps the answers about one snapshot
//   - queue.go: the queue as the page lists it
//   - summary.go: a summary of the queue, and the waiting times
//   - bookings.go: the bookings of hosts over time
//   - events.go: tells the page of new snapshots
//   - load.go: the load of the cluster and of its hosts; the backlog
//   - consumables.go: who holds and who asks for licenses
//   - whatif.go: the numbers of the policy that have sliders
//   - own.go: hides jobs of other users, if configured
//   - acts.go: changes that users request
//   - metrics.go: figures for Prometheus
//   - assets: the page; it needs no library and no build step, and shows names from clusters as plain text
//     only
package view
