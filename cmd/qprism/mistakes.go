package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"qprism/engine/model"
	"qprism/importer/gridengine"
)

// tellMistakes lets every command say in words what is wrong with its flags and arguments, and what was likely meant.
func tellMistakes(root *cobra.Command) {
	root.SetFlagErrorFunc(flagMistake)
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if check := c.Args; check != nil {
			c.Args = func(c *cobra.Command, args []string) error { return argumentMistake(c, args, check(c, args)) }
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

// flagMistake adds to an unknown flag the nearest one that the command has.
func flagMistake(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || len(unknown.GetSpecifiedName()) < 2 {
		return err
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if name := nearest(unknown.GetSpecifiedName(), names); name != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, name)
	}
	return fmt.Errorf("%w; %s --help lists them", err, c.CommandPath())
}

// argumentMistake says in place of cobra's counts how the command is called.
func argumentMistake(c *cobra.Command, args []string, err error) error {
	switch {
	case err == nil:
		return nil
	case strings.HasPrefix(err.Error(), "accepts "), strings.HasPrefix(err.Error(), "requires at "):
		said := "too many arguments"
		if len(args) == 0 {
			said = "something is missing"
		}
		return fmt.Errorf("%s: %s", said, strings.TrimSuffix(c.UseLine(), " [flags]"))
	}
	return err
}

// keyMeant says which key of a Grid Engine scheduler configuration a word that is none was likely meant to be.
func keyMeant(s *model.Snapshot, key string) string {
	keys := gridengine.PolicyKeys()
	if s.PBS != nil || slices.Contains(keys, key) {
		return ""
	}
	if name := nearest(key, keys); name != "" {
		return "; did you mean " + name + "?"
	}
	return ""
}

// nearest is the name that a word was likely meant to be: one that begins with it, or else one that few changes of a letter
// make of it; empty for none.
func nearest(word string, names []string) string {
	best, least := "", max(2, len(word)/3)+1
	for _, name := range slices.Sorted(slices.Values(names)) {
		d := editDistance(word, name)
		if len(word) > 2 && strings.HasPrefix(name, word) {
			d = 0
		}
		if d < least {
			best, least = name, d
		}
	}
	return best
}

// editDistance is how many letters have to be put in, left out, replaced, or exchanged with their neighbour to make one word of another.
func editDistance(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			replaced := row[j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			next[j] = min(row[j]+1, next[j-1]+1, replaced)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
