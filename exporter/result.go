package exporter

import (
	"context"
	"fmt"
	"strings"
)

// A Result is the output of a command and its exit status.
type Result struct {
	Out, Err string
	Exit     int
}

// Text returns all output of a command: standard output, then standard error.
func (r Result) Text() string { return r.Out + r.Err }

// Lines returns the lines of a text that are not blank, trimmed.
func Lines(text string) (list []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// Ask runs commands that must all succeed. The error has the message of the first failure.
func Ask(ctx context.Context, r Runner, commands ...[]string) ([]Result, error) {
	results, err := r.Run(ctx, commands)
	if err != nil {
		return nil, err
	}
	for i, argv := range commands {
		if i >= len(results) || results[i].Exit != 0 {
			return nil, Failure(argv, results[min(i, len(results)):]...)
		}
	}
	return results, nil
}

// Failure returns the error of a command that must succeed. It reads the first of results.
func Failure(argv []string, results ...Result) error {
	name := strings.Join(argv, " ")
	if len(results) == 0 {
		return fmt.Errorf("%s: no answer", name)
	}
	lines := Lines(results[0].Text())
	if len(lines) == 0 {
		return fmt.Errorf("%s: exit status %d", name, results[0].Exit)
	}
	return fmt.Errorf("%s: %s", name, strings.Join(lines, "; "))
}
