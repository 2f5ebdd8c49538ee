package gridengine

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"qprism/engine/model"
)

// readManifest reads MANIFEST, which says where and when the bundle was taken, and qstat-help.txt, which says what
// release printed it. What they do not say stays empty.
func readManifest(r *reader) error {
	if err := requireQstat(r); err != nil {
		return err
	}
	var m manifest
	if err := r.EachLine("MANIFEST", func(number int, text []byte) error { return m.line(r, number, string(text)) }); err != nil {
		return err
	}
	r.Snap.Cluster = m.master
	if m.cell != "" {
		r.Snap.Cluster += "/" + m.cell
	}
	return r.EachLine("qstat-help.txt", r.helpLine)
}

// A manifest is what MANIFEST says of the cluster.
type manifest struct{ master, cell string }

// line reads a line "key value". Those of commands are read with the configuration, see newConfigReader.
func (m *manifest) line(r *reader, number int, text string) (err error) {
	key, value, _ := strings.Cut(strings.TrimSpace(text), " ")
	value = strings.TrimSpace(value)
	switch key {
	// kept FILE SECONDS is from an earlier capture; without FILE ELEMENT was left out of it, and left_out FILE when it was anonymized
	case "", "command", "kept", "without", "left_out":
	case "taken_at":
		r.Snap.TakenAt, err = parseTakenAt(value)
	case "listed_at":
		r.Snap.ListedAt, err = parseTakenAt(value)
	case "master":
		m.master = value
	case "cell":
		m.cell = value
	case "identity":
		if err = r.Snap.Identity.SetCaptured(value); errors.Is(err, model.ErrNoFact) {
			r.Unknown("MANIFEST", number, key, value)
			err = nil
		}
	case "utc_offset":
		if r.offset, err = parseOffset(value); err == nil {
			r.Snap.Location = value
		}
	default:
		r.Unknown("MANIFEST", number, key, value)
	}
	if err != nil {
		return r.Problem("MANIFEST", number, value, fmt.Errorf("%s: %w", key, err))
	}
	return nil
}

// parseTakenAt reads a Unix time in seconds, with a fraction or without, of which microseconds are kept.
func parseTakenAt(text string) (time.Time, error) {
	whole, part, dot := strings.Cut(text, ".")
	seconds, nano, ok := digits(whole), 0, true
	if dot {
		nano, ok = fraction("." + part)
	}
	if len(whole) == 0 || len(whole) > 12 || seconds < 0 || !ok {
		return time.Time{}, errSyntax
	}
	return time.Unix(int64(seconds), int64(nano)).UTC().Truncate(time.Microsecond), nil
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
	hours, minutes := digits(t[1:3]), digits(t[3:5])
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
func (r *reader) helpLine(number int, text []byte) error {
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
