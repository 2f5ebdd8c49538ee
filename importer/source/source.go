package source

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"

	"qprism/engine/model"
	"qprism/importer"
)

// Options say how to read a bundle.
type Options struct {
	// Leave out parts that cannot be read, because a file is cut off or of another kind. List them in the
	// snapshot.
	KeepGoing bool
	Progress  func(bytes int64) // called with the number of bytes just read; may be nil
}

// A Reader reads one bundle once.
type Reader struct {
	Bundle  fs.FS
	Opts    Options
	Snap    *model.Snapshot
	Strings *Strings

	unknowns map[[2]string]unknown // indexes of Snap.Unknown, by file and name
}

// New makes a Reader of a bundle.
func New(bundle fs.FS, opts Options) *Reader {
	return &Reader{
		Bundle:   bundle,
		Opts:     opts,
		Snap:     &model.Snapshot{},
		Strings:  newStrings(),
		unknowns: map[[2]string]unknown{},
	}
}

// Fork makes a second Reader of the same bundle. It sees what was read so far, and keeps its own notes until
// Join. The two Readers never report progress at the same time.
func (r *Reader) Fork() *Reader {
	if report := r.Opts.Progress; report != nil {
		var one sync.Mutex
		r.Opts.Progress = func(bytes int64) {
			one.Lock()
			defer one.Unlock()
			report(bytes)
		}
	}
	f := New(r.Bundle, r.Opts)
	snap := *r.Snap
	snap.Unknown, snap.Repaired, snap.LeftOut = nil, nil, nil
	f.Snap = &snap
	return f
}

// Join adds the notes of a second Reader that has ended. It read other files.
func (r *Reader) Join(f *Reader) {
	for _, u := range f.Snap.Unknown {
		r.Unknown(u.File, u.Line, u.Name, u.Value)
		if at, known := r.unknowns[[2]string{u.File, u.Name}]; known {
			r.Snap.Unknown[at.at].Count += u.Count - 1
		}
	}
	r.Snap.Repaired = append(r.Snap.Repaired, f.Snap.Repaired...)
	r.Snap.LeftOut = append(r.Snap.LeftOut, f.Snap.LeftOut...)
	if r.Snap.Release == (model.Release{}) {
		r.Snap.Release = f.Snap.Release
	}
}

// Limits for the unknown keys, elements and errors that a snapshot keeps. The bundle may come from a stranger.
const (
	MaxUnknowns = 1000
	MaxKept     = 200 // most bytes of one text
)

// Problem reports a file that cannot be read to its end. It returns an error. With KeepGoing it adds an entry
// to the snapshot's list instead.
func (r *Reader) Problem(file string, line int, text string, err error) error {
	if !r.Opts.KeepGoing {
		return &importer.Problem{File: file, Line: line, Text: strings.Clone(text[:min(len(text), MaxKept)]), Err: err}
	}
	r.LeaveOut(file, line, text, err)
	return nil
}

// mostLeftOut limits the records that a snapshot may lack. A file with more of them is probably something else.
const mostLeftOut = 10_000

// LeaveOut leaves out one record (an object or a job) that cannot be read. The snapshot lists it.
func (r *Reader) LeaveOut(file string, line int, text string, err error) {
	text = strings.Clone(text[:min(len(text), MaxKept)])
	if len(r.Snap.LeftOut) >= mostLeftOut {
		return
	}
	r.Snap.LeftOut = append(r.Snap.LeftOut, model.LeftOut{File: file, Line: line, Text: text, Reason: err.Error()})
}

// NothingRead returns an error if no record of a listing could be read: such a file is probably something else. It
// returns nil if there are records, if the listing is empty, or with KeepGoing.
func (r *Reader) NothingRead(file string, read int) error {
	if read > 0 || r.Opts.KeepGoing {
		return nil
	}
	for _, l := range r.Snap.LeftOut {
		if l.File == file {
			return &importer.Problem{File: l.File, Line: l.Line, Text: l.Text, Err: errors.New(l.Reason)}
		}
	}
	return nil
}

// Unknown keeps an unknown key or element, once for each file and name. If there are too many, the last entry
// counts the rest.
func (r *Reader) Unknown(file string, line int, name, value string) {
	list := &r.Snap.Unknown
	if len(*list) >= MaxUnknowns-1 {
		if _, known := r.unknowns[[2]string{file, name}]; !known {
			file, line, name, value = "", 0, "further names", ""
		}
	}
	key := [2]string{file, name}
	if name == "line" || strings.HasSuffix(name, "/line") { // each line is a separate entry
		key[1] += "\x00" + value
	}
	if u, known := r.unknowns[key]; known {
		// a file that is read twice has each line twice
		if line > u.line || name != "line" && !strings.HasSuffix(name, "/line") {
			(*list)[u.at].Count++
			r.unknowns[key] = unknown{u.at, line}
		}
		return
	}
	r.unknowns[key] = unknown{len(*list), line}
	value = strings.Clone(value[:min(len(value), MaxKept)])
	*list = append(*list, model.Unknown{File: file, Line: line, Name: name, Value: value, Count: 1})
}

// An unknown is an index of the snapshot's list of unknown names. It also has the last line of the file that
// counted for this entry.
type unknown struct{ at, line int }

// Absent reports whether an error means that the bundle lacks a file.
func Absent(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// Open opens a file of the bundle. It returns nil if the file is missing or empty, or if the name is empty.
func (r *Reader) Open(file string) (io.ReadCloser, error) {
	if file == "" {
		return nil, nil
	}
	info, err := fs.Stat(r.Bundle, file)
	if Absent(err) || err == nil && info.Size() == 0 {
		return nil, nil
	}
	if err == nil && info.IsDir() {
		err = errors.New("a folder")
	}
	if err != nil {
		return nil, &importer.Problem{File: file, Err: err}
	}
	f, err := r.Bundle.Open(file)
	if err != nil {
		return nil, &importer.Problem{File: file, Err: err}
	}
	return &counted{f, r.Opts.Progress}, nil
}

// A counted file reports how much of it was read.
type counted struct {
	fs.File
	progress func(int64)
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.File.Read(p)
	if c.progress != nil && n > 0 {
		c.progress(int64(n))
	}
	return n, err
}

// ReadAll reads a small file of the bundle. It returns nil if the file is missing or empty.
func (r *Reader) ReadAll(file string, most int64) ([]byte, error) {
	f, err := r.Open(file)
	if err != nil || f == nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("longer than %d bytes", most)
	}
	if err != nil {
		return nil, r.Problem(file, 0, "", err)
	}
	return text, nil
}

// maxLine limits the lines of text files.
const maxLine = 1 << 20

// EachLine reads a text file of the bundle line by line, without line breaks. The text is valid until read
// returns.
func (r *Reader) EachLine(file string, read func(number int, text []byte) error) error {
	f, err := r.Open(file)
	if err != nil || f == nil {
		return err
	}
	defer f.Close()
	number := 0
	lines := bufio.NewScanner(f)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	for lines.Scan() {
		number++
		if err := read(number, lines.Bytes()); err != nil {
			return err
		}
	}
	err = lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("a line of more than %d bytes", maxLine)
	}
	if err != nil {
		return r.Problem(file, number+1, "", err)
	}
	return nil
}
