package collect

import (
	"bytes"
	"io"
	"regexp"
)

// mostLine is the longest line that a filter keeps in memory. Of a longer line it checks only the beginning.
const mostLine = 16 << 20

// A lineFilter passes on only the lines to keep, many in one write: a listing has millions, and w is often a file.
type lineFilter struct {
	w    io.Writer
	keep func(line []byte) []byte // returns the part of a line to keep; nil for nothing
	held []byte
	kept []byte // of one Write
}

func (f *lineFilter) Write(p []byte) (int, error) {
	f.held = append(f.held, p...)
	f.kept = f.kept[:0]
	done := 0
	for {
		end := bytes.IndexByte(f.held[done:], '\n')
		if end < 0 && len(f.held)-done < mostLine {
			break
		}
		if end < 0 {
			end = len(f.held) - done - 1
		}
		f.kept = append(f.kept, f.keep(f.held[done:done+end+1])...)
		done += end + 1
	}
	f.held = append(f.held[:0], f.held[done:]...)
	if _, err := f.w.Write(f.kept); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close passes on the last line, which has no newline.
func (f *lineFilter) Close() error {
	if len(f.held) == 0 {
		return nil
	}
	_, err := f.w.Write(f.keep(f.held))
	f.held = nil
	return err
}

// withoutEnvironment removes the jobs' environment from qstat -j -xml, where it is an element of several lines.
func withoutEnvironment(w io.Writer) io.WriteCloser {
	inside := false
	return &lineFilter{w: w, keep: func(line []byte) []byte {
		begins := bytes.Contains(line, []byte("<JB_env_list>"))
		ends := bytes.Contains(line, []byte("</JB_env_list>"))
		drop := inside || begins
		inside = (inside || begins) && !ends
		if drop {
			return nil
		}
		return line
	}}
}

var dated = regexp.MustCompile(`^\d\d/\d\d/\d{4} `)

// schedulerLines keeps the scheduler's lines of the messages file. Each line begins with a date. The first line
// may be only a half.
func schedulerLines(w io.Writer) io.WriteCloser {
	return &lineFilter{w: w, keep: func(line []byte) []byte {
		if !dated.Match(line) {
			return nil
		}
		for _, mark := range []string{"|schedu|", "|schedd|", "PROF"} {
			if bytes.Contains(line, []byte(mark)) {
				return line
			}
		}
		return nil
	}}
}

var (
	jsonList    = regexp.MustCompile(`^([ \t]*)"Variable_List":[ \t]*\{[ \t]*$`)
	jsonNothing = regexp.MustCompile(`^[ \t]*"Variable_List":[ \t]*\{[ \t]*\},?[ \t]*$`)
	textNext    = regexp.MustCompile(`^(    [A-Za-z_]|Job Id:|$)`)
	xmlList     = regexp.MustCompile(`<Variable_List>[^<]*</Variable_List>`)
)

// withoutVariables removes Variable_List from a listing of PBS jobs. In JSON it is an object, up to the closing
// brace. In text it is a value, up to the next name. In XML it is an element.
func withoutVariables(w io.Writer) io.WriteCloser {
	brace, wrapped := "", false
	return &lineFilter{w: w, keep: func(line []byte) []byte {
		text := bytes.TrimRight(line, "\r\n")
		switch {
		case brace != "":
			if bytes.HasPrefix(text, []byte(brace)) {
				brace = ""
			}
			return nil
		case wrapped && !textNext.Match(text):
			return nil
		}
		wrapped = bytes.HasPrefix(text, []byte("    Variable_List = "))
		if m := jsonList.FindSubmatch(text); m != nil {
			brace = string(m[1]) + "}"
			return nil
		}
		if wrapped || jsonNothing.Match(text) {
			return nil
		}
		if bytes.Contains(line, []byte("<Variable_List>")) {
			return xmlList.ReplaceAll(line, nil)
		}
		return line
	}}
}
