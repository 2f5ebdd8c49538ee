package pbs

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/importer/source"
)

// readManifest reads place, time and release of the bundle. Its sources are MANIFEST, date.txt, ctime of a
// pbs_snapshot, and version.txt. If they lack a fact, JSON may have it; otherwise it stays empty.
func readManifest(r *reader) error {
	file, read := r.choose("date"), r.dateLine
	if file == "MANIFEST" {
		read = r.manifestLine
	}
	if err := r.lines(file, read); err != nil {
		return err
	}
	return r.lines(r.choose("version"), r.versionLine)
}

// manifestLine reads a line "key value".
func (r *reader) manifestLine(_ string, number int, line []byte) (err error) {
	key, value, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
	value = strings.TrimSpace(value)
	switch key {
	case "command":
		if f := strings.Fields(value); len(f) > 1 && f[1] == "rc=0" {
			r.answered[f[0]] = true
			r.schedulerOf(f)
		}
	case "", "kept", "without", "uname", "user":
	case "taken_at":
		err = r.takenAt(value)
	case "listed_at":
		r.Snap.ListedAt, err = parseSeconds(value)
	case "scheduler":
		r.pbs.FilesOf = value
	case "master":
		r.Snap.Cluster = value
	case "identity":
		if err = r.Snap.Identity.SetCaptured(value); errors.Is(err, model.ErrNoFact) {
			r.Unknown("MANIFEST", number, key, value)
			err = nil
		}
	case "note":
		r.Snap.Note = value
	case "utc_offset":
		var offset time.Duration
		if offset, err = parseOffset(value); err == nil {
			r.Snap.Location = value
			r.zone, r.zoned = time.FixedZone("", int(offset/time.Second)), true
		}
	default:
		r.Unknown("MANIFEST", number, key, value)
	}
	if err != nil {
		return r.Problem("MANIFEST", number, value, fmt.Errorf("%s: %w", key, err))
	}
	return nil
}

// schedulerOf notes to which scheduler the files belong: a command names the scheduler or its folder.
func (r *reader) schedulerOf(command []string) {
	switch last := command[len(command)-1]; {
	case command[0] == "sched_config":
		r.private = path.Dir(last)
	case command[0] == "pbsfs_p.txt" && len(command) > 4 && command[3] == "-I":
		r.pbs.FilesOf = command[4]
	}
}

// nameScheduler finds the scheduler with the private folder of these files.
func (r *reader) nameScheduler() {
	for i := range r.pbs.Schedulers {
		s := &r.pbs.Schedulers[i]
		if private, _ := model.Text(s.Attributes, "sched_priv"); private != "" && private == r.private &&
			s.Name != model.DefaultScheduler {
			r.pbs.FilesOf = s.Name
		}
	}
}

// dateLine reads the only line of date.txt.
func (r *reader) dateLine(file string, number int, line []byte) error {
	text := strings.TrimSpace(string(line))
	if text == "" || number > 1 {
		return nil
	}
	if err := r.takenAt(text); err != nil {
		r.LeaveOut(file, number, text, err)
	}
	return nil
}

// takenAt reads the output of date at the time of the capture. A time without a zone is local, as other times
// of the bundle.
func (r *reader) takenAt(text string) error {
	d, err := source.ParseDate(text)
	if err != nil {
		return err
	}
	r.Snap.TakenAt = d.At
	switch {
	case d.IsUnix:
	case d.Zone == nil:
		r.atLocal = true
	case !r.zoned:
		_, offset := d.At.In(d.Zone).Zone()
		r.setOffset(time.Duration(offset) * time.Second)
	}
	return nil
}

func (r *reader) setOffset(offset time.Duration) {
	r.zone, r.zoned = time.FixedZone("", int(offset/time.Second)), true
	r.Snap.Location = source.OffsetText(offset)
}

// versionLine reads "pbs_version = 23.06.06", or Torque's "Version: 6.1.2".
func (r *reader) versionLine(file string, number int, line []byte) error {
	text := strings.TrimSpace(string(line))
	if version, ok := strings.CutPrefix(text, "pbs_version = "); ok {
		r.release(version)
		return nil
	}
	label, version, ok := strings.Cut(text, ":")
	switch {
	case text == "":
	case ok && strings.EqualFold(label, "version"):
		r.Snap.System = model.Torque
		r.Snap.Release = model.Release{Product: "Torque", Version: strings.TrimSpace(version)}
	case ok && strings.EqualFold(label, "commit"):
	default:
		r.Unknown(file, number, "release", text)
	}
	return nil
}

// torqueVersion matches releases 2 to 6, which belong to Torque. Releases of PBS are 7 and greater.
var torqueVersion = regexp.MustCompile(`^[2-6]\.\d`)

func (r *reader) release(version string) {
	if torqueVersion.MatchString(version) {
		r.Snap.System, r.Snap.Release = model.Torque, model.Release{Product: "Torque", Version: version}
		return
	}
	r.Snap.Release = model.Release{Product: "PBS", Version: version}
}

// stamp takes time, release and server from JSON, unless another file has them.
func (r *reader) stamp(file, name, value string) {
	switch {
	case name == "timestamp":
		at, err := parseSeconds(value)
		if err == nil && slices.Contains(parts[0].files, file) {
			r.listed = at
		}
		if err == nil && r.Snap.TakenAt.IsZero() {
			r.Snap.TakenAt = at
		}
	case name == "pbs_version" && r.Snap.Release.Version == "":
		r.release(value)
	case name == "pbs_server" && r.Snap.Cluster == "":
		r.Snap.Cluster = value
	}
}

var errSyntax = errors.New("invalid syntax")

// parseSeconds reads a Unix time in seconds, with or without a fraction. It keeps microseconds.
func parseSeconds(text string) (time.Time, error) {
	whole, fraction, dot := strings.Cut(text, ".")
	seconds, err := strconv.ParseUint(whole, 10, 40)
	if err != nil || dot && (fraction == "" || len(fraction) > 9 || strings.Trim(fraction, "0123456789") != "") {
		return time.Time{}, errSyntax
	}
	nano, _ := strconv.Atoi((fraction + "000000000")[:9]) // digits only
	return time.Unix(int64(seconds), int64(nano)).UTC().Truncate(time.Microsecond), nil
}

// parseOffset reads the distance of local time from UTC: "+0200", "-03:30" or "Z".
func parseOffset(text string) (time.Duration, error) {
	if text == "Z" {
		return 0, nil
	}
	t, err := time.Parse("-0700", strings.Replace(text, ":", "", 1))
	if err != nil {
		return 0, errSyntax
	}
	_, seconds := t.Zone()
	return time.Duration(seconds) * time.Second, nil
}
