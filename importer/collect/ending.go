package collect

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

// ending captures the end of a file of the master. MANIFEST calls the file named. If the end begins in the
// middle of a line, this half line is removed.
func (c *capture) ending(file, named, path string, megabytes int, filter func(io.Writer) io.WriteCloser) {
	if megabytes <= 0 {
		return
	}
	most := megabytes * 1_000_000
	a := c.record(recording{file: file, named: named, argv: []string{"tail", "-c", strconv.Itoa(most), path},
		filter:       filter,
		removeFailed: true})
	switch {
	case c.err != nil:
	case a.status != 0 && !absent(a.complaints):
		c.noteLacking(file, a)
	case a.status == 0 && filter == nil:
		c.fail(dropHalfLine(filepath.Join(c.folder, file), int64(most)))
	}
}

// dropHalfLine removes the first line of a file, if the file has the greatest allowed length.
func dropHalfLine(path string, most int64) error {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) || err == nil && info.Size() < most {
		return nil
	}
	if err != nil {
		return err
	}
	from, err := os.Open(path)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(path+".part", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer to.Close()
	r := bufio.NewReader(from)
	for {
		if _, err := r.ReadSlice('\n'); !errors.Is(err, bufio.ErrBufferFull) {
			break
		}
	}
	if _, err := io.Copy(to, r); err != nil {
		return err
	}
	return errors.Join(to.Close(), os.Rename(path+".part", path))
}
