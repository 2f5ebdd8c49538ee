package view

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qprism/cmd/cadence"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
)

var Group = cli.Group{Title: "What does it look like?", Commands: func(d *cli.Deps) []*cobra.Command {
	return []*cobra.Command{newView(d)}
}}

type options struct {
	at        cadence.Endpoint
	cluster   string
	noBrowser bool
}

func newView(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "view [BUNDLE...]", runView)
	cli.Prints(c, "table")
	c.ValidArgsFunction = subject.CompleteBundle
	f := c.Flags()
	f.StringVar(&opts.at.Address, "listen", "127.0.0.1:0", "the `address` to listen on; port 0 is any that is free")
	f.StringVar(&opts.at.TokenFile, "token-file", "", "require the token in this `file`")
	f.StringVar(&opts.at.Certificate, "certificate", "", "TLS: the `file` with the certificate")
	f.StringVar(&opts.at.Key, "key", "", "TLS: the `file` with its key")
	f.StringVar(&opts.at.Opens, "opens", "auto", "the `view` that opens first: "+strings.Join(cadence.FirstViews, ", "))
	f.StringVar(&opts.cluster, "cluster", "", "show only this `cluster` of the store")
	f.BoolVar(&opts.noBrowser, "no-browser", false, "do not open a browser, only print the address")
	_ = c.RegisterFlagCompletionFunc("opens", cobra.FixedCompletions(cadence.FirstViews, cobra.ShellCompDirectiveNoFileComp))
	c.MarkFlagsRequiredTogether("certificate", "key")
	return c
}

func runView(ctx context.Context, d *cli.Deps, opts options, bundles []string, w io.Writer) error {
	if err := opts.at.Guarded(); err != nil {
		return err
	}
	if opts.at.Opens != "" && !slices.Contains(cadence.FirstViews, opts.at.Opens) {
		return fmt.Errorf("--opens %s: want %s", opts.at.Opens, strings.Join(cadence.FirstViews, ", "))
	}
	site, err := siteOf(ctx, d, opts, bundles)
	if err != nil {
		return err
	}
	site.Open(opts.at.First)
	handler, err := Admitted(opts.at, site.Handler(), slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	l, scheme, err := Listen(opts.at)
	if err != nil {
		return err
	}
	address := fmt.Sprintf("%s://%s/", scheme, l.Addr())
	fmt.Fprintf(w, "%s at %s (Ctrl-C ends)\n", site.title(), address)
	go site.prepare(ctx)
	if !opts.noBrowser {
		openBrowser(address)
	}
	h := Server(Guarded(opts.at.Local(), handler), Patience)
	stop := context.AfterFunc(ctx, func() { _ = h.Close() })
	defer stop()
	if err := h.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func siteOf(ctx context.Context, d *cli.Deps, opts options, bundles []string) (*Site, error) {
	switch {
	case len(bundles) > 0 && opts.cluster != "":
		return nil, errors.New("--cluster chooses a stored cluster: do not give a bundle with it")
	case len(bundles) > 0:
		return Bundles(ctx, d, bundles)
	}
	site := Stored(d, opts.cluster)
	list, err := site.Clusters(ctx)
	if err == nil && len(list) == 0 {
		err = cli.ErrNoBundle
	}
	return site, err
}

// openBrowser opens a browser if there is one and a person can see it. Without a browser this is no error,
// because the address is printed.
func openBrowser(address string) {
	name, args := "xdg-open", []string{address}
	switch {
	case runtime.GOOS == "darwin":
		name = "open"
	case os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "":
		return
	}
	c := exec.Command(name, args...)
	if c.Start() == nil {
		go func() { _ = c.Wait() }()
	}
}
