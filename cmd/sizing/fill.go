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

// fill imports bundles with their analyses into a store, as serve does. It reads one bundle while it stores the
// previous one. If the store has some of them, fill continues.
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
	next := make(chan bundle, 2)
	go func() {
		defer close(next)
		for n := range bundles {
			if n > 0 {
				e.Step(cadence)
			}
			if n >= len(have) {
				next <- made(e)
			}
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

// made reads and analyzes what the cluster would print now.
func made(e *generate.Evolution) bundle {
	files, err := e.Files()
	if err != nil {
		return bundle{err: err}
	}
	b := bundle{files: fstest.MapFS{}}
	for name, data := range files {
		b.files[name] = &fstest.MapFile{Data: data}
	}
	if b.snapshot, b.err = subject.ReadBundle(b.files, false); b.err == nil {
		b.analysis = past.Analyze(b.snapshot)
	}
	return b
}
