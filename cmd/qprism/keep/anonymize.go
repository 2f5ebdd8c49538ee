package keep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/cmd/safe"
	"qprism/importer/anonymize"
)

type anonymizeOptions struct {
	stored  subject.Selection
	output  string
	key     string
	replace bool
}

func newAnonymize(d *cli.Deps) *cobra.Command {
	var opts anonymizeOptions
	c := &cobra.Command{
		Use:   "anonymize [BUNDLE] -o FILE",
		Short: "Replace all names in a bundle, so that it can be given to strangers",
		Long: `anonymize writes a bundle in which users, groups, projects, departments, hosts, jobs,
accounts, queues, the site's own resources, and paths have pseudonyms, the same name always the
same one. Numbers, times and limits stay, so that audit, priorities and plan give the same
numbers. Pseudonyms sort as the names do, and are twice as long. Names that every cluster has
stay: all.q, slots, mem_free, global; of PBS workq, ncpus, unknown.

Of PBS each list of jobs, queues, hosts and so on is written once, as JSON or text, whatever forms the bundle has of it. Tables
that commands print for people, and JSON of Grid Engine, are written as XML or JSON, the forms in which they are read.

Environments, arguments, scripts, contexts and mail addresses of jobs, comments, and what other
threads than the scheduler wrote to the messages file are left out. So is every file, line or
element of which no rule says where a name can be; standard error lists them, and MANIFEST the
files. The result is read again: it must say the same as the original under the pseudonyms,
and a file in which a name of three letters or more is left is left out, too.

Pseudonyms are random and forgotten, so that those of two runs differ. With --key FILE they are
kept for the next bundle; whoever has the file can read the names, so keep it for yourself.

Numbers can tell as well: when jobs were submitted, and how many slots a host has.`,
		Example: `  qprism anonymize cluster.tar.gz -o public.tar.gz
  qprism anonymize --snapshot 12 -o public.tar.gz
  qprism anonymize monday.tar.gz --key names.key -o monday-public.tar.gz`,
		Args:        cobra.MaximumNArgs(1),
		Annotations: map[string]string{cli.FormatsOf: "table json"},
		RunE: func(c *cobra.Command, args []string) error {
			return runAnonymize(c.Context(), d, opts, args, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	c.ValidArgsFunction = subject.CompleteBundle
	f := c.Flags()
	f.Int64Var(&opts.stored.Snapshot, "snapshot", 0, "take the stored snapshot of this `number`")
	f.StringVar(&opts.stored.Cluster, "cluster", "",
		"take the latest stored snapshot of this `cluster`, by its name in the store or in serve's configuration")
	f.StringVarP(&opts.output, "output", "o", "", "write the archive to this `file`")
	f.StringVar(&opts.key, "key", "", "keep the pseudonyms in this `file`, and use those that are in it; it is made where there is none")
	f.BoolVar(&opts.replace, "replace", false, "replace the file if it exists")
	c.MarkFlagsMutuallyExclusive("snapshot", "cluster")
	return c
}

// newAnonymizeStored is anonymize for a stored snapshot.
func newAnonymizeStored(d *cli.Deps) *cobra.Command {
	c := newAnonymize(d)
	c.Use, c.Args, c.ValidArgsFunction = "anonymize -o FILE", cobra.NoArgs, nil
	c.Short = "Write a stored snapshot as a bundle in which all names are replaced"
	c.Long = "db anonymize is qprism anonymize of a stored snapshot: of the last one, or that of --snapshot or --cluster."
	c.Example = "  qprism db anonymize --snapshot 12 -o public.tar.gz"
	return c
}

func runAnonymize(ctx context.Context, d *cli.Deps, opts anonymizeOptions, args []string, w, warn io.Writer) error {
	if opts.output == "" {
		return errors.New("give the file to write, such as -o public.tar.gz")
	}
	if _, err := os.Stat(opts.output); err == nil && !opts.replace {
		return fmt.Errorf("%s exists; --replace replaces it", opts.output)
	}
	bundle, closer, err := opts.bundle(ctx, d, args)
	if err != nil {
		return err
	}
	defer closer.Close()
	result, err := subject.Anonymize(bundle, opts.output, opts.key)
	if err != nil {
		return err
	}
	subject.SayLeftOut(safe.NewWriter(warn), result)
	if d.Format == "json" {
		return d.Output(w).JSON(anonymizedJSON(opts.output, result))
	}
	_, err = fmt.Fprintf(w, "%s written to %s\n", show.Plural(len(result.Files), "file"), show.Printable(opts.output))
	return err
}

// bundle opens the bundle, or the files of the stored snapshot.
func (o *anonymizeOptions) bundle(ctx context.Context, d *cli.Deps, args []string) (fs.FS, io.Closer, error) {
	stored := o.stored.Snapshot != 0 || o.stored.Cluster != ""
	switch {
	case len(args) > 0 && stored:
		return nil, nil, errors.New("give a bundle or a stored snapshot, not both")
	case len(args) > 0:
		return subject.BundleAt(args[0])
	}
	store, err := subject.OpenStore(d)
	if err != nil {
		return nil, nil, err
	}
	id, err := o.stored.Stored(ctx, store)
	if err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	bundle, err := store.Raw(ctx, id)
	if err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	return bundle, store, nil
}

// An anonymized bundle is what was made, and what was left out of it.
type anonymized struct {
	File     string     `json:"file"`
	Files    int        `json:"files"` // in it
	LeftOut  []unhidden `json:"left_out"`
	Patterns []string   `json:"patterns"` // that select other names than before
}

// An unhidden part of a bundle was left out, since it might hold names.
type unhidden struct {
	File   string `json:"file"`
	What   string `json:"what"`
	Reason string `json:"reason"`
}

func anonymizedJSON(file string, r *anonymize.Result) anonymized {
	j := anonymized{File: file, Files: len(r.Files), Patterns: r.Patterns}
	for _, l := range r.LeftOut {
		j.LeftOut = append(j.LeftOut, unhidden(l))
	}
	return j
}
