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
	c, opts := cli.Command(d, "anonymize [BUNDLE] -o FILE", runAnonymize)
	c.Args = cobra.MaximumNArgs(1)
	cli.Prints(c, "table json")
	c.ValidArgsFunction = subject.CompleteBundle
	f := c.Flags()
	f.Int64Var(&opts.stored.Snapshot, "snapshot", 0, "use the stored snapshot with this `number`")
	f.StringVar(&opts.stored.Cluster, "cluster", "",
		"use the latest stored snapshot of this `cluster`, by its name in the store or in the configuration of serve")
	f.StringVarP(&opts.output, "output", "o", "", "write the archive to this `file`")
	f.StringVar(&opts.key, "key", "", "keep the pseudonyms in this `file`, and use those in it; qprism "+
		"creates it if it is missing")
	f.BoolVar(&opts.replace, "replace", false, "replace the file if it exists")
	c.MarkFlagsMutuallyExclusive("snapshot", "cluster")
	return c
}

// newAnonymizeStored is anonymize for a stored snapshot.
func newAnonymizeStored(d *cli.Deps) *cobra.Command {
	c := newAnonymize(d)
	c.Use, c.Args, c.ValidArgsFunction = "anonymize -o FILE", cobra.NoArgs, nil
	return c
}

func runAnonymize(ctx context.Context, d *cli.Deps, opts anonymizeOptions, args []string, w io.Writer) error {
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
	subject.SayLeftOut(safe.NewWriter(d.Warn()), result)
	if d.Format == "json" {
		return d.Output(w).JSON(anonymizedJSON(opts.output, result))
	}
	_, err = fmt.Fprintf(w, "%s written to %s\n", show.Plural(len(result.Files), "file"), show.Printable(opts.output))
	return err
}

// bundle opens the bundle, or the files of the stored snapshot.
func (o *anonymizeOptions) bundle(ctx context.Context, d *cli.Deps, args []string) (fs.FS, io.Closer, error) {
	if len(args) > 0 && (o.stored.Snapshot != 0 || o.stored.Cluster != "") {
		return nil, nil, errors.New("give a bundle or a stored snapshot, not both")
	}
	return subject.Files(ctx, d, &o.stored, args)
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
