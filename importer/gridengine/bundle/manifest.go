package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"qprism/compat"
	"qprism/engine/model"
	"qprism/importer/source"
)

// ReadManifest reads MANIFEST and qstat-help.txt. MANIFEST has the place and time of the capture;
// qstat-help.txt has the release. Facts that these files lack stay empty.
func ReadManifest(r *Reader) error {
	if err := requireListing(r); err != nil {
		return err
	}
	var m manifest
	if err := r.EachLine("MANIFEST", func(number int, text []byte) error {
		return m.line(r, number, string(text))
	}); err != nil {
		return err
	}
	if r.Snap.TakenAt.IsZero() {
		if err := r.EachLine("date.txt", r.dateLine); err != nil {
			return err
		}
	}
	r.Snap.Cluster = m.master
	if m.cell != "" {
		r.Snap.Cluster += "/" + m.cell
	}
	return r.EachLine("qstat-help.txt", r.helpLine)
}

// A manifest has the facts about the cluster in MANIFEST.
type manifest struct{ master, cell string }

// line reads a line "key value". qconf.Read reads the lines of commands.
func (m *manifest) line(r *Reader, number int, text string) (err error) {
	key, value, _ := strings.Cut(strings.TrimSpace(text), " ")
	value = strings.TrimSpace(value)
	switch key {
	// kept FILE SECONDS: from an earlier capture. without FILE ELEMENT: element left out. left_out FILE: left
	// out by anonymize.
	case "", "command", "kept", "without", "left_out":
	case "taken_at":
		err = r.takenAt(value)
	case "listed_at":
		err = r.listedAt(value)
	case "master":
		m.master = value
	case "cell":
		m.cell = value
	case "identity":
		if err = r.Snap.Identity.SetCaptured(value); errors.Is(err, model.ErrNoFact) {
			r.Unknown("MANIFEST", number, key, value)
			err = nil
		}
	case "note":
		r.Snap.Note = value
	case "utc_offset":
		if r.offset, err = parseOffset(value); err == nil {
			r.Snap.Location, r.zoned = value, true
		}
	default:
		r.Unknown("MANIFEST", number, key, value)
	}
	if err != nil {
		return r.Problem("MANIFEST", number, value, fmt.Errorf("%s: %w", key, err))
	}
	return nil
}

// takenAt reads the output of date at the time of the capture. A local time without a zone belongs to the clock
// of all other local times.
func (r *Reader) takenAt(text string) error {
	d, err := source.ParseDate(text)
	if err != nil {
		return err
	}
	r.Snap.TakenAt = d.At
	switch {
	case d.IsUnix:
	case d.Zone == nil:
		r.takenLocal = true
	case !r.zoned:
		_, offset := d.At.In(d.Zone).Zone()
		r.setOffset(time.Duration(offset) * time.Second)
	}
	return nil
}

func (r *Reader) listedAt(text string) error {
	d, err := source.ParseDate(text)
	if err == nil && !d.IsUnix {
		err = errSyntax
	}
	r.Snap.ListedAt = d.At
	return err
}

// dateLine reads the only line of date.txt.
func (r *Reader) dateLine(number int, text []byte) error {
	if number > 1 || len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	if err := r.takenAt(string(text)); err != nil {
		r.LeaveOut("date.txt", number, string(text), err)
	}
	return nil
}

func (r *Reader) setOffset(offset time.Duration) {
	r.offset, r.zoned, r.Snap.Location = offset, true, source.OffsetText(offset)
}

// parseOffset reads the distance of local time from UTC: "+0200", "-03:30" or "Z".
func parseOffset(text string) (time.Duration, error) {
	if text == "Z" {
		return 0, nil
	}
	t := strings.Replace(text, ":", "", 1)
	if len(t) != len("+0200") || t[0] != '+' && t[0] != '-' {
		return 0, errSyntax
	}
	hours, minutes := Digits(t[1:3]), Digits(t[3:5])
	if hours < 0 || hours > 15 || minutes < 0 || minutes > 59 {
		return 0, errSyntax
	}
	d := time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	if t[0] == '-' {
		d = -d
	}
	return d, nil
}

// helpLine reads the first line of qstat -help: product and version, "SGE 8.1.9".
func (r *Reader) helpLine(number int, text []byte) error {
	if number > 1 {
		return nil
	}
	words := strings.Fields(string(text))
	last := len(words) - 1
	if last < 1 || words[last][0] < '0' || words[last][0] > '9' {
		r.Unknown("qstat-help.txt", number, "release", string(text))
		return nil
	}
	r.Snap.Release = model.Release{Product: strings.Join(words[:last], " "), Version: words[last]}
	return nil
}

// InferRelease infers the version from the options of the global configuration, if only the product is known.
func InferRelease(r *Reader) error {
	if release := &r.Snap.Release; release.Product != "" && release.Version == "" {
		release.Version = compat.ByConfiguration(release.Product, func(option string) bool {
			_, set := model.Text(r.Snap.Config.Global, option)
			return set
		})
	}
	return nil
}
