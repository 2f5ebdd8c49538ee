// Package view holds the command view, and the page that it and serve show in a browser: who asks, and what commands answer.
//
// The page knows nothing of its own. Below /api/v1 a question is a command, whose JSON is sent as it is printed; each is asked once of a
// bundle or stored snapshot, which is read once. Only the list of the queue has a form of its own, since a queue can be long.
//
// Nothing is changed but through an Actor, which serve has where its configuration lets somebody (acts.go); where it hides the jobs of
// others, answers are made of those that everybody may see (own.go).
//
// Its files:
//   - acts.go: An Act is a change of a cluster that somebody asks for on the page
//   - answers.go: Answers are what commands say of one moment
//   - assets: the page itself: no library, no build step; texts of clusters are only ever text
//   - endpoints.go: Endpoints are all questions below /api/v1, as they are documented in assets/openapi.json
//   - group.go: Group are the commands of this folder
//   - listen.go: Listen listens, with TLS where there is a certificate
//   - metrics.go: Metrics tell Prometheus of each cluster's last moment
//   - own.go: Hide hides jobs of others from who does not see all
//   - packed.go: A packed answer is kept as it is sent
//   - page.go: Handler answers for the page, and for programs below /api/v1
//   - queue.go: A queueList is the queue as the page lists it
//   - safe.go: Guarded lets only requests through that change nothing, or ask for a change where the page takes that
//   - site.go: A Site is what can be looked at: bundles, or the store
//   - view.go: runView listens until it is told to stop
//   - whatif.go: knobs are the numbers of the policy that the page has sliders for
//   - who.go: Admitted lets only those in whom an endpoint admits, and notes who they are
package view
