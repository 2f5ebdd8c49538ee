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
	"time"

	"qprism/importer/anonymize"
)

// Anonymize writes a bundle with pseudonyms to a file. The key file keeps the pseudonyms for the next bundle.
// If it does not exist, Anonymize makes it. Without a key file, pseudonyms are random, and qprism does not keep
// them.
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
	return result, writeArchive(file, func(archive *tar.Writer) error {
		for _, f := range result.Files {
			header := &tar.Header{Name: f.Name, Mode: 0o600, Size: int64(len(f.Data)), ModTime: time.Unix(0, 0),
				Format: tar.FormatPAX}
			if err := archive.WriteHeader(header); err != nil {
				return err
			}
			if _, err := archive.Write(f.Data); err != nil {
				return err
			}
		}
		return nil
	})
}

// dictionary reads the dictionary of a key file, or makes a new one.
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
