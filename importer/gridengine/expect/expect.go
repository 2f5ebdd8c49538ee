// Package expect has helpers for the tests of the packages that read bundles. It makes bundles from texts,
// and compares read values with expected values.
package expect

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"testing"
	"testing/fstest"

	"qprism/engine/model"
	"qprism/importer"
)

// Bundle makes a bundle of files, by name and text.
func Bundle(files map[string]string) fs.FS {
	bundle := fstest.MapFS{}
	for name, text := range files {
		bundle[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return bundle
}

// Fault returns the error of a reading. If there is none, it returns the first record that the reading left
// out, as an error.
func Fault(s *model.Snapshot, err error) error {
	if err == nil && len(s.LeftOut) > 0 {
		l := s.LeftOut[0]
		return &importer.Problem{File: l.File, Line: l.Line, Text: l.Text, Err: errors.New(l.Reason)}
	}
	return err
}

// Same compares two values, and everything that their pointers point to.
func Same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %s\nwant %s", what, Show(got), Show(want))
	}
}

// Show prints a value, and everything that its pointers point to.
func Show(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%+v", v)
	}
	return string(text)
}

// Numbers lists the numbers of ranges.
func Numbers(ranges []model.Range) (all []uint32) {
	for _, r := range ranges {
		for n := r.Min; n <= r.Max; n += r.Step {
			all = append(all, n)
		}
	}
	return all
}
