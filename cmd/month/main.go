package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/subject"
)

// The month ends when the recording was made.
const (
	length = 30 * 24 * time.Hour
	step   = 4 * time.Hour

	remembered = 5 * 24 * time.Hour // by the end of an accounting file that a capture takes
)

var begin = time.Date(2026, 10, 22, 8, 0, 0, 0, time.UTC)

func main() {
	flag.Usage = func() { fmt.Fprintln(flag.CommandLine.Output(), "usage: month STORE") }
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(context.Background(), flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "month:", err)
		os.Exit(1)
	}
}

// run makes a store with the month, whole or not at all.
func run(ctx context.Context, file string) error {
	if _, err := os.Stat(file); err == nil {
		return errors.New(file + " is there already")
	}
	p, err := newPlay()
	if err != nil {
		return err
	}
	part := file + ".part"
	_ = os.Remove(part) // of one that was stopped
	if err := fill(ctx, p, part); err != nil {
		return err
	}
	return os.Rename(part, file)
}

// fill plays the month into a new store.
func fill(ctx context.Context, p *play, file string) error {
	store, err := sqlite.Open(file)
	if err != nil {
		return err
	}
	for at := begin.Add(step); err == nil && !at.After(begin.Add(length)); at = at.Add(step) {
		p.until(at)
		err = keep(ctx, p, store)
	}
	return errors.Join(err, store.Close())
}

// keep stores the moment.
func keep(ctx context.Context, p *play, store *sqlite.Store) error {
	bundle, err := p.bundle(p.endedSince(p.at.Add(-remembered)))
	if err != nil {
		return err
	}
	s, err := subject.ReadBundle(bundle, false)
	if err != nil {
		return err
	}
	_, err = store.Import(ctx, bundle, "played on", s)
	return err
}
