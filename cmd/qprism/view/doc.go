// Package view is the command view, with the page that view and serve show in a browser.
//
// The page computes nothing itself. A question below /api/v1 is a command, and its JSON is sent unchanged. A
// bundle or stored snapshot is read once, and each question about it is answered once. Only the queue has a
// form of its own, because it can be long. Only an Actor changes anything; serve has one if its configuration
// allows it.
//
// Its files:
//   - view.go: the command
//   - listen.go: listens, with TLS if there is a certificate
//   - safe.go: refuses requests that other sites cause, and too many requests
//   - who.go: admits users by token, password or certificate
//   - page.go: answers for the page, and for programs below /api/v1
//   - endpoints.go: all questions below /api/v1, as assets/openapi.json documents them
//   - site.go: the bundles, or the store, that the page shows
//   - answers.go: what commands say of one moment, kept as it is sent
//   - queue.go: the queue as the page lists it
//   - summary.go: the queue in short, and how long jobs have waited
//   - bookings.go: what uses which host when
//   - events.go: tells the page of new snapshots
//   - load.go: how full the cluster is, and its hosts were; how much work waits
//   - whatif.go: the numbers of the policy that have sliders
//   - own.go: hides jobs of others, if configured
//   - acts.go: changes that users ask for
//   - metrics.go: figures for Prometheus
//   - assets: the page: no library, no build step; texts of clusters are always plain text
package view
