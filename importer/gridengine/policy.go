package gridengine

import (
	"errors"
	"io/fs"

	"qprism/engine/model"
	"qprism/importer"
)

// ReadPolicy reads a scheduler configuration that is in no bundle: a file as qconf -ssconf prints it, sched_conf(5). An
// error is an *importer.Problem with file, line and text.
func ReadPolicy(folder fs.FS, file string) (model.Policy, error) {
	info, err := fs.Stat(folder, file)
	if err == nil && info.Size() == 0 {
		err = errEmpty
	}
	if err != nil {
		return model.Policy{}, &importer.Problem{File: file, Err: cause(err)}
	}
	r := newReader(oneFile{folder, file, "sched_conf.txt"}, Options{})
	err = r.alone(readSchedConf(&configReader{reader: r}))
	var p *importer.Problem
	if errors.As(err, &p) {
		p.File = file
	}
	return r.Snap.Policy, err
}

var errEmpty = errors.New("empty")

// cause is what is wrong with a file, without its name.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// oneFile is a bundle that holds one file of a folder, under the name that it has in bundles.
type oneFile struct {
	folder   fs.FS
	file, as string
}

func (o oneFile) Open(name string) (fs.File, error) {
	if name != o.as {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return o.folder.Open(o.file)
}
