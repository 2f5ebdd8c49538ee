package keep

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
)

func newForget(d *cli.Deps) *cobra.Command {
	yes := false
	c := &cobra.Command{
		Use:  "forget CLUSTER",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return runForget(c.Context(), d, args[0], func(question string) bool {
				return yes || ask(c.InOrStdin(), c.OutOrStdout(), question)
			}, c.OutOrStdout())
		},
	}
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}

// jsonForgotten is what forget did.
type jsonForgotten struct {
	Cluster   string `json:"cluster"`
	Snapshots int    `json:"snapshots"`
	Pushes    int    `json:"pushes"`
	Drives    int    `json:"drives"`
	Bytes     int64  `json:"bytes"`
	Was       int64  `json:"bytes_before"`
}

func runForget(ctx context.Context, d *cli.Deps, name string, sure func(question string) bool, w io.Writer) error {
	store, err := subject.OpenToWrite(d)
	if err != nil {
		return err
	}
	defer store.Close()
	cluster, err := subject.ClusterOf(ctx, store, name)
	if err != nil {
		return err
	}
	m, err := store.MemoryOf(ctx, cluster)
	if err != nil {
		return err
	}
	out, was := d.Output(w), store.Size()
	if !sure(memoryText(out, &m)) {
		return errors.New("nothing was deleted; --yes deletes it")
	}
	if m, err = store.Forget(ctx, cluster); err != nil {
		return err
	}
	if out.Format == "json" {
		return out.JSON(jsonForgotten{m.Cluster, len(m.Snapshots), m.Pushes, m.Drives, store.Size(), was})
	}
	fmt.Fprintf(w, "deleted %s; the store has %s, before %s\n", memoryText(out, &m), BytesText(store.Size()),
		BytesText(was))
	return nil
}

// memoryText lists the data of a cluster in the store.
func memoryText(out show.Output, m *sqlite.Memory) string {
	first, last := m.Snapshots[0], m.Snapshots[len(m.Snapshots)-1]
	text := fmt.Sprintf("%s of %s, taken from %s to %s", show.Plural(len(m.Snapshots), "snapshot"),
		show.Printable(m.Cluster), out.Moment(first.TakenAt), out.Moment(last.TakenAt))
	if m.Pushes+m.Drives > 0 {
		text += fmt.Sprintf(", and the records of %d pushes and %d drives", m.Pushes, m.Drives)
	}
	return text
}

// ask asks on a terminal whether to delete something. Without a terminal it only says what would be deleted.
func ask(in io.Reader, w io.Writer, what string) bool {
	f, ok := in.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		fmt.Fprintf(w, "to be deleted: %s\n", what)
		return false
	}
	fmt.Fprintf(w, "Delete %s? [y/N] ", what)
	answer, _ := bufio.NewReader(in).ReadString('\n') // an error means no answer
	return strings.EqualFold(strings.TrimSpace(answer), "y")
}
