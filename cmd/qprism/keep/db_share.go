package keep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"qprism/adapters/sqlite"
	"qprism/cmd/names"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
)

type shareOptions struct {
	group    string
	all, off bool
}

func newShare(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "share --group GROUP | --all | --off", runShare)
	c.Args = cobra.NoArgs
	c.Flags().StringVar(&opts.group, "group", "", "the members of this `group` can read it")
	c.Flags().BoolVar(&opts.all, "all", false, "all users can read it")
	c.Flags().BoolVar(&opts.off, "off", false, "only its owner can read it")
	c.MarkFlagsMutuallyExclusive("group", "all", "off")
	c.MarkFlagsOneRequired("group", "all", "off")
	return c
}

func runShare(ctx context.Context, d *cli.Deps, opts shareOptions, _ []string, w io.Writer) error {
	readers, group, who := sqlite.OnlyOwner, -1, "only its owner"
	switch {
	case opts.group != "":
		var err error
		if group, err = groupNumber(opts.group); err != nil {
			return err
		}
		readers, who = sqlite.GroupReaders, "its owner and the group "+opts.group
	case opts.all:
		readers, who = sqlite.AllReaders, "all users"
	case !opts.off:
		return errors.New("--group GROUP, --all or --off")
	}
	if err := subject.StoreExists(d); err != nil {
		return err
	}
	store, err := sqlite.Open(d.Store, subject.Waits(d))
	if err != nil {
		return err
	}
	defer store.Close()
	if err := store.Share(ctx, readers, group, subject.OwnFolder(d)); err != nil {
		return err
	}
	fmt.Fprintf(w, "%s: %s may read it\n", d.Store, who)
	return nil
}

// groupNumber returns the number of a group. The text may be its name or its number.
func groupNumber(name string) (int, error) {
	n, err := names.Group(name)
	if err == nil {
		return n, nil
	}
	if n, bad := strconv.Atoi(name); bad == nil && n >= 0 {
		return n, nil
	}
	return 0, fmt.Errorf("--group %q: %w", name, err)
}
