package serve

import (
	"bytes"
	"encoding/csv"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// keepFigures adds a line to a table in the reports of the cluster. It writes the line as a whole, since a
// spreadsheet reads the file at any time.
func (s *Served) keepFigures(file string, figures []slog.Attr) error {
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
	names, values := []string{"at"}, []string{time.Now().UTC().Format(time.RFC3339)}
	for _, v := range figures {
		names, values = append(names, v.Key), append(values, v.Value.String())
	}
	var text bytes.Buffer
	c := csv.NewWriter(&text)
	if info.Size() == 0 {
		_ = c.Write(names)
	}
	_ = c.Write(values)
	c.Flush()
	_, err = f.Write(text.Bytes())
	return errors.Join(c.Error(), err, f.Close())
}

// without leaves out figures that only a table has.
func without(figures []slog.Attr, names ...string) []slog.Attr {
	return slices.DeleteFunc(slices.Clone(figures), func(v slog.Attr) bool { return slices.Contains(names, v.Key) })
}
