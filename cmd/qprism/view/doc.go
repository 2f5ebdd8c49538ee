// Package view holds the command view, and the page that it and serve show in a browser: who asks, and what
// commands answer.
//
// The page computes nothing of its own. A question below /api/v1 is a command, whose JSON is sent as it is
// printed. A bundle or stored snapshot is read once, and each question about it is answered once. Only the
// list of the queue has a form of its own, since a queue can be long.
//
// Only an Actor changes anything; serve has one where its configuration lets somebody act.
//
// Its files:
//   - view.go: the command
//   - listen.go: listens, with TLS where there is a certificate
//   - safe.go: refuses what other sites make a browser send, and too many requests
//   - who.go: admits users, by token, password or certificate
//   - page.go: answers for the page, and for programs below /api/v1
//   - endpoints.go: all questions below /api/v1, as assets/openapi.json documents them
//   - site.go: the bundles, or the store, that the page shows
//   - answers.go: what commands say of one moment, kept as it is sent
//   - queue.go: the queue as the page lists it
//   - load.go: how full the cluster is, and how much work waits
//   - whatif.go: the numbers of the policy that have sliders
//   - own.go: hides the jobs of others where the configuration says so
//   - acts.go: changes of a cluster that somebody asks for on the page
//   - metrics.go: figures for Prometheus
//   - assets: the page itself: no library, no build step; texts of clusters are only ever text
package view
