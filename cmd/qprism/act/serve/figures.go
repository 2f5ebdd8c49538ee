package serve

import (
	"bytes"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// keepFigures adds a line to a table of the cluster's reports, which begins with the names of its columns.
// The line comes as a whole: a spreadsheet reads the file at any time.
func (s *Served) keepFigures(file string, names, values []string) error {
	if err := os.MkdirAll(s.reports, 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(s.reports, file), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return errors.Join(err, f.Close())
	}
	var text bytes.Buffer
	c := csv.NewWriter(&text)
	if info.Size() == 0 {
		_ = c.Write(slices.Insert(slices.Clone(names), 0, "at"))
	}
	_ = c.Write(slices.Insert(slices.Clone(values), 0, time.Now().UTC().Format(time.RFC3339)))
	c.Flush()
	_, err = f.Write(text.Bytes())
	return errors.Join(c.Error(), err, f.Close())
}
