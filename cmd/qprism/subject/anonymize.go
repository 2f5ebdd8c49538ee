package subject

import (
	"archive/tar"
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/klauspost/compress/gzip"

	"qprism/importer/anonymize"
)

// Anonymize writes a bundle with pseudonyms to a file. The key file keeps the pseudonyms for the next
// bundle; Anonymize makes it if it is missing. Without a key file, pseudonyms are random and are not kept.
func Anonymize(bundle fs.FS, file, keyFile string) (*anonymize.Result, error) {
	names, err := dictionary(keyFile)
	if err != nil {
		return nil, err
	}
	result, err := anonymize.Run(bundle, names)
	if err != nil {
		return nil, fmt.Errorf("anonymize: %w", err)
	}
	if keyFile != "" {
		var b bytes.Buffer
		if err := errors.Join(names.Write(&b), WriteWhole(keyFile, b.Bytes(), 0o600)); err != nil {
			return nil, fmt.Errorf("write the key: %w", err)
		}
	}
	data, err := packed(result.Files)
	if err != nil {
		return nil, err
	}
	if err := WriteWhole(file, data, 0o600); err != nil {
		return nil, fmt.Errorf("write the bundle: %w", err)
	}
	return result, nil
}

// dictionary is that of a key file, or a new one.
func dictionary(keyFile string) (*anonymize.Dictionary, error) {
	f, err := os.Open(keyFile)
	if keyFile == "" || errors.Is(err, fs.ErrNotExist) {
		key := make([]byte, anonymize.KeySize)
		_, err := rand.Read(key)
		return anonymize.NewDictionary(key), err
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := anonymize.ReadDictionary(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", keyFile, err)
	}
	return names, nil
}

// packed is a .tar.gz of files, the same for the same files.
func packed(files []anonymize.File) ([]byte, error) {
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	archive := tar.NewWriter(zip)
	for _, f := range files {
		header := &tar.Header{Name: f.Name, Mode: 0o600, Size: int64(len(f.Data)), ModTime: time.Unix(0, 0),
			Format: tar.FormatPAX}
		if err := archive.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := archive.Write(f.Data); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(archive.Close(), zip.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// WriteWhole writes a file completely, or not at all.
func WriteWhole(file string, data []byte, mode fs.FileMode) (err error) {
	f, err := os.CreateTemp(filepath.Dir(file), ".part-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(data)
	if err := errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}

// SayLeftOut lists what an anonymized bundle lacks.
func SayLeftOut(w io.Writer, r *anonymize.Result) {
	for _, l := range r.LeftOut {
		where := l.File
		if l.What != "" {
			where += ", " + l.What
		}
		fmt.Fprintf(w, "qprism: skipped: %s: %s\n", where, l.Reason)
	}
	for _, p := range r.Patterns {
		fmt.Fprintf(w, "qprism: the pattern %s matches other names after the renaming; a plan of the bundle may differ\n", p)
	}
}
