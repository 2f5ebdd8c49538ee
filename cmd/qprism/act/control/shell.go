package control

import (
	"bytes"
	"context"

	"qprism/adapters/shell"
	"qprism/cmd/qprism/subject"
	"qprism/exporter"
	"qprism/importer/collect"
)

// A Shell runs all commands in one shell on the cluster, so there is only one remote execution. The first
// command starts the shell.
type Shell struct {
	Reach subject.Reach
	Host  shell.Host // replaces the host of reach
	Given string     // name that the user gave to the cluster
	*subject.Reached
	site *collect.Site // the cluster that the current shell reaches
}

// Run runs commands one after the other. If the connection to the shell is lost, the next call starts a new
// shell.
func (r *Shell) Run(ctx context.Context, commands [][]string) (results []exporter.Result, err error) {
	if _, err := r.cluster(ctx); err != nil {
		return nil, err
	}
	for _, argv := range commands {
		var stdout bytes.Buffer
		status, complaints, _, err := r.Reached.Run(ctx, argv, &stdout)
		if err != nil {
			r.Close()
			return results, err
		}
		results = append(results, exporter.Result{Out: stdout.String(), Err: complaints, Exit: status})
	}
	return results, nil
}

// cluster returns the shell. If there is none, it starts one.
func (r *Shell) cluster(ctx context.Context) (_ *subject.Reached, err error) {
	if r.Reached == nil {
		r.Reached, err = r.open(ctx)
	}
	return r.Reached, err
}

// Site returns the identity of the cluster. In each new shell, Site asks for it first.
func (r *Shell) Site(ctx context.Context) (*collect.Site, error) {
	cluster, err := r.cluster(ctx)
	if err != nil || r.site != nil {
		return r.site, err
	}
	site, err := collect.Identify(ctx, cluster)
	if err != nil {
		r.Close()
		return nil, err
	}
	site.Given, site.Via = r.Given, r.Reach.Words()
	r.site = site
	return site, nil
}

func (r *Shell) open(ctx context.Context) (*subject.Reached, error) {
	if r.Host == nil {
		return r.Reach.Open(ctx)
	}
	s, err := shell.Open(ctx, r.Host, shell.Options{Settings: r.Reach.Settings})
	if err != nil {
		return nil, err
	}
	return &subject.Reached{Host: unclosed{r.Host}, Shell: s}, nil
}

// unclosed is a host without a connection to end.
type unclosed struct{ shell.Host }

func (unclosed) Close() error { return nil }

func (r *Shell) Close() {
	if r.Reached != nil {
		r.Reached.Close()
		r.Reached, r.site = nil, nil
	}
}
