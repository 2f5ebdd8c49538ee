package subject

import (
	"fmt"
	"io"
	"io/fs"
	"strings"

	"qprism/fixtures/examples"
	"qprism/importer"
)

// ExampleMark is how the name of a built-in bundle begins.
const ExampleMark = "example:"

// BundleAt opens a bundle of the file system, a lab, or an example.
func BundleAt(path string) (fs.FS, io.Closer, error) {
	if strings.HasPrefix(path, LabMark) {
		bundle, err := labAt(path)
		return bundle, io.NopCloser(nil), err
	}
	name, isExample := strings.CutPrefix(path, ExampleMark)
	if !isExample {
		bundle, closer, err := importer.Open(path)
		if err != nil && strings.HasSuffix(path, ".lab") {
			err = fmt.Errorf("%w; for a lab file, write %s%s", err, LabMark, path)
		}
		return bundle, closer, err
	}
	name, step, _ := strings.Cut(name, "/")
	e, known := examples.Find(name)
	if !known {
		return nil, nil, fmt.Errorf("there is no example %q; \"qprism examples\" lists them", name)
	}
	if step = strings.Trim(step, "/"); step == "" {
		step = e.Step
	}
	files, err := e.Open()
	if err != nil {
		return nil, nil, err
	}
	bundle, err := importer.Within(files, ExampleMark+name, step)
	return bundle, io.NopCloser(nil), err
}

// ExampleOf returns the cluster name for stored snapshots of an example. It is empty for other bundles.
func ExampleOf(path string) string {
	name, isExample := strings.CutPrefix(path, ExampleMark)
	if !isExample {
		return ""
	}
	name, _, _ = strings.Cut(name, "/")
	return ExampleMark + name
}
