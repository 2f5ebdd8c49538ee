package subject

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/engine/model"
	"qprism/fixtures/examples"
)

// CompleteBundle completes names of examples. The shell itself completes files.
func CompleteBundle(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	var list []string
	for _, e := range examples.All {
		if name := ExampleMark + e.Name; word != "" && strings.HasPrefix(name, word) {
			list = append(list, cobra.CompletionWithDesc(name, e.About))
		}
	}
	return list, cobra.ShellCompDirectiveDefault
}

// CompleteJob completes a job of the given bundle, or of the latest stored snapshot, with owner and name. After
// the job it completes a bundle. It runs no command on a cluster.
func CompleteJob(d *cli.Deps) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		list, directive := CompleteBundle(c, args, word)
		return append(list, jobsLike(c, d, args, word)...), directive
	}
}

// CompleteJobs completes the last job of a list: 4711,4712.
func CompleteJobs(d *cli.Deps) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, word string) (list []string, _ cobra.ShellCompDirective) {
		at := strings.LastIndex(word, ",") + 1
		for _, job := range jobsLike(c, d, args, word[at:]) {
			list = append(list, word[:at]+job)
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}

// jobsLike returns the jobs whose ids begin with word and that are not on the command line.
func jobsLike(c *cobra.Command, d *cli.Deps, args []string, word string) (list []string) {
	_, bundle, err := JobsFirst(args)
	if err != nil {
		return nil
	}
	var sel Selection
	sel.Snapshot, _ = c.Flags().GetInt64("snapshot")
	sel.Cluster, _ = c.Flags().GetString("cluster")
	s, err := Load(c.Context(), d, &sel, bundle)
	if err != nil {
		return nil
	}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if id := j.KnownAs(); strings.HasPrefix(id, word) && !slices.Contains(args, id) {
			list = append(list, cobra.CompletionWithDesc(id, described(j)))
		}
	}
	return list
}

// described names owner and job, without characters that a shell obeys.
func described(j *model.Job) string { return show.Printable(show.Joined(" ", j.Owner, j.Name)) }
