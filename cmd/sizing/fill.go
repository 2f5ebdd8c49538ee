package main

import (
	"context"
	"testing/fstest"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
	"qprism/fixtures/generate"
)

// A bundle is a bundle that has been read and analysed.
type bundle struct {
	files    fstest.MapFS
	snapshot *model.Snapshot
	analysis *sqlite.Analysis
	err      error
}

// fill imports bundles with their analyses into a store, as serve does. It writes one bundle while it reads the previous
// one and stores the one before. If the store has some of them, fill continues.
func fill(store string, e *generate.Evolution, bundles int) error {
	db, err := sqlite.Open(store)
	if err != nil {
		return err
	}
	defer db.Close()
	ctx := context.Background()
	have, err := db.Snapshots(ctx)
	if err != nil {
		return err
	}
	written, next := make(chan bundle, 2), make(chan bundle, 2)
	go func() {
		defer close(written)
		for n := range bundles {
			if n > 0 {
				e.Step(cadence)
			}
			if n >= len(have) {
				written <- printed(e)
			}
		}
	}()
	go func() {
		defer close(next)
		for b := range written {
			b.read()
			next <- b
		}
	}()
	for b := range next {
		if b.err != nil {
			return b.err
		}
		done, err := db.Import(ctx, b.files, "year", b.snapshot)
		if err != nil {
			return err
		}
		if err := db.SetAnalysis(ctx, done.ID, b.analysis); err != nil {
			return err
		}
	}
	return nil
}

// printed is what the cluster would print now.
func printed(e *generate.Evolution) bundle {
	files, err := e.Files()
	b := bundle{files: fstest.MapFS{}, err: err}
	for name, data := range files {
		b.files[name] = &fstest.MapFile{Data: data}
	}
	return b
}

// read reads and analyzes a bundle.
func (b *bundle) read() {
	if b.err == nil {
		b.snapshot, b.err = subject.ReadBundle(b.files, false)
	}
	if b.err == nil {
		b.analysis = past.Analyze(b.snapshot)
	}
}
