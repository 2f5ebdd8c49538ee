// Package view implements the command view, and the web page that view and serve show.
//
// The page itself computes nothing. A question below /api/v1 runs a command, and the answer is the JSON of
// that command. The package reads a bundle or stored snapshot once, and computes each answer about it once.
// Only the queue has a form of its own, because it can be long. Only an Actor changes anything. serve has
// an Actor if its configuration allows it.
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
