package bundle

import (
	"errors"
	"io/fs"
	"time"

	"qprism/importer/fields"
	"qprism/importer/source"
)

// A Reader is one reading of one bundle.
type Reader struct {
	*source.Reader
	offset     time.Duration    // of the cluster's local time from UTC
	takenLocal bool             // TakenAt is a local time of unknown zone
	zoned      bool             // the bundle says what it is
	localTimes bool             // some were read
	hints      source.ZoneHints // what moments that the files show twice say of it
	NoPolicy   bool             // sched_conf.txt was left out: it is as if the bundle lacked it
}

// New begins a reading of a bundle.
func New(bundle fs.FS, opts source.Options) *Reader {
	return &Reader{Reader: source.New(bundle, opts), hints: source.ZoneHints{}}
}

// Fork is a second reading of the same bundle, for a file that is read at the same time as another one.
func (r *Reader) Fork() *Reader {
	f := *r
	f.Reader = r.Reader.Fork()
	return &f
}

// Join adds what a second reading noted. It has ended.
func (r *Reader) Join(f *Reader) {
	r.Reader.Join(f.Reader)
	r.localTimes = r.localTimes || f.localTimes
}

var errSyntax = fields.ErrSyntax

// ErrAgain says of an object or a job that another one before it has its name or number.
var ErrAgain = errors.New("was there before")

// BasePriority is the number that the master adds to -p before it stores it, BASE_PRIORITY.
const BasePriority = 1024

// UnlessNone is the text, or empty if the text is NONE.
func UnlessNone(text string) string {
	if text == "NONE" {
		return ""
	}
	return text
}
