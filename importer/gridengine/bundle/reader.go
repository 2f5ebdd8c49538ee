package bundle

import (
	"errors"
	"io/fs"
	"time"

	"qprism/importer/fields"
	"qprism/importer/source"
)

// A Reader reads one bundle once.
type Reader struct {
	*source.Reader
	offset     time.Duration    // distance of the cluster's local time from UTC
	takenLocal bool             // TakenAt is a local time of unknown zone
	zoned      bool             // the bundle has the offset
	localTimes bool             // some local times were read
	hints      source.ZoneHints // moments that files show as local time and as Unix time
	NoPolicy   bool             // sched_conf.txt was left out, as if the bundle lacked it
}

// New makes a Reader of a bundle.
func New(bundle fs.FS, opts source.Options) *Reader {
	return &Reader{Reader: source.New(bundle, opts), hints: source.ZoneHints{}}
}

// Fork makes a second Reader of the same bundle. It can read another file at the same time.
func (r *Reader) Fork() *Reader {
	f := *r
	f.Reader = r.Reader.Fork()
	return &f
}

// Join adds the notes of a second Reader that has ended.
func (r *Reader) Join(f *Reader) {
	r.Reader.Join(f.Reader)
	r.localTimes = r.localTimes || f.localTimes
}

var errSyntax = fields.ErrSyntax

// ErrAgain means that an earlier object or job has the same name or number.
var ErrAgain = errors.New("was there before")

// BasePriority is the master's BASE_PRIORITY. The master adds this number to -p before it stores the sum.
const BasePriority = 1024

// UnlessNone returns the text, or an empty text for NONE.
func UnlessNone(text string) string {
	if text == "NONE" {
		return ""
	}
	return text
}
