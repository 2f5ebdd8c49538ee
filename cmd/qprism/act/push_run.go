package act

import (
	"bytes"
	"context"

	"qprism/adapters/shell"
	"qprism/cmd/qprism/subject"
	"qprism/exporter"
	"qprism/importer/collect"
)

// A shellRunner runs commands in one shell, which the first of them starts: one remote execution in all.
type shellRunner struct {
	reach subject.Reach
	host  shell.Host // instead of where reach says
	given string     // what somebody says that the cluster is called which is reached
	*subject.Reached
	site *collect.Site // the cluster, as the shell that runs was told
}

// Run runs commands one after the other. Where the shell is lost, the next call starts another.
func (r *shellRunner) Run(ctx context.Context, commands [][]string) (results []exporter.Result, err error) {
	if _, err := r.cluster(ctx); err != nil {
		return nil, err
	}
	for _, argv := range commands {
		var stdout bytes.Buffer
		status, complaints, _, err := r.Reached.Run(ctx, argv, &stdout)
		if err != nil {
			r.close()
			return results, err
		}
		results = append(results, exporter.Result{Out: stdout.String(), Err: complaints, Exit: status})
	}
	return results, nil
}

// cluster is the shell, which is started where there is none.
func (r *shellRunner) cluster(ctx context.Context) (_ *subject.Reached, err error) {
	if r.Reached == nil {
		r.Reached, err = r.open(ctx)
	}
	return r.Reached, err
}

// who is the cluster that the shell is on: each new shell is asked anew, before anything else.
func (r *shellRunner) who(ctx context.Context) (*collect.Site, error) {
	cluster, err := r.cluster(ctx)
	if err != nil || r.site != nil {
		return r.site, err
	}
	site, err := collect.Identify(ctx, cluster)
	if err != nil {
		r.close()
		return nil, err
	}
	site.Given, site.Via = r.given, r.reach.Words()
	r.site = site
	return site, nil
}

// open reaches the cluster.
func (r *shellRunner) open(ctx context.Context) (*subject.Reached, error) {
	if r.host == nil {
		return r.reach.Open(ctx)
	}
	s, err := shell.Open(ctx, r.host, shell.Options{Settings: r.reach.Settings})
	if err != nil {
		return nil, err
	}
	return &subject.Reached{Host: unclosed{r.host}, Shell: s}, nil
}

// An unclosed host has no connection to end.
type unclosed struct{ shell.Host }

func (unclosed) Close() error { return nil }

func (r *shellRunner) close() {
	if r.Reached != nil {
		r.Close()
		r.Reached, r.site = nil, nil
	}
}
