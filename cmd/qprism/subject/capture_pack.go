package subject

import (
	"archive/tar"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
)

// pack makes a .tar.gz of the files of a folder.
func pack(folder, file string) error {
	return writeArchive(file, func(archive *tar.Writer) error {
		entries, err := os.ReadDir(folder)
		for _, e := range entries {
			err = cmp.Or(err, packFile(archive, filepath.Join(folder, e.Name())))
		}
		return err
	})
}

// writeArchive writes a .tar.gz completely, or not at all.
func writeArchive(file string, fill func(*tar.Writer) error) error {
	err := writeWhole(file, 0o600, func(w io.Writer) error {
		zip := gzip.NewWriter(w)
		archive := tar.NewWriter(zip)
		return cmp.Or(fill(archive), errors.Join(archive.Close(), zip.Close()))
	})
	if err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	return nil
}

// WriteWhole writes a file. If it fails, the old file stays.
func WriteWhole(file string, data []byte, mode fs.FileMode) error {
	return writeWhole(file, mode, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

func writeWhole(file string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(file), ".part-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err := errors.Join(write(f), f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
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
