package gridengine

import (
	"errors"
	"io/fs"
	"time"

	"qprism/engine/model"
	"qprism/importer/source"
)

// A reader is one reading of one bundle.
type reader struct {
	*source.Reader
	offset     time.Duration                 // of the cluster's local time from UTC
	takenLocal bool                          // TakenAt is a local time of unknown zone
	zoned      bool                          // the bundle says what it is
	localTimes bool                          // some were read
	hints      source.ZoneHints              // what moments that the files show twice say of it
	noPolicy   bool                          // sched_conf.txt was left out: it is as if the bundle lacked it
	types      map[string]model.ResourceType // see resourceType
}

func newReader(bundle fs.FS, opts source.Options) *reader {
	return &reader{Reader: source.New(bundle, opts), hints: source.ZoneHints{}}
}

// errAgain says of an object or a job that another one before it has its name or number.
var errAgain = errors.New("was there before")

// basePriority is what the master adds to -p to store it, BASE_PRIORITY.
const basePriority = 1024

// unlessNone is a text, empty where it is NONE.
func unlessNone(text string) string {
	if text == "NONE" {
		return ""
	}
	return text
}
