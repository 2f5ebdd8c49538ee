package subject

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
)

// pack makes a .tar.gz of the files of a folder. It appears under its name when it is complete.
func pack(folder, file string) (err error) {
	part := file + ".part"
	f, err := os.OpenFile(part, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("write the bundle: %w", err), os.Remove(part))
		}
	}()
	defer f.Close()
	zip := gzip.NewWriter(f)
	archive := tar.NewWriter(zip)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := packFile(archive, filepath.Join(folder, e.Name())); err != nil {
			return err
		}
	}
	if err := errors.Join(archive.Close(), zip.Close(), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(part, file)
}

func packFile(archive *tar.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := archive.WriteHeader(&tar.Header{Name: info.Name(), Mode: 0o600, Size: info.Size(), ModTime: info.ModTime(),
		Format: tar.FormatPAX}); err != nil {
		return err
	}
	_, err = io.Copy(archive, f)
	return err
}
