package subject

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"qprism/fixtures/labs"
	"qprism/importer/lab"
)

// LabMark is how the name of a lab begins.
const LabMark = "lab:"

// labAt makes the bundle of a lab. The word names a built-in lab, a file, or a folder with a file "lab" and
// dumps. After commas it may have settings.
func labAt(word string) (fs.FS, error) {
	name, rest, changed := strings.Cut(strings.TrimPrefix(word, LabMark), ",")
	var settings []string
	if changed {
		settings = strings.Split(rest, ",")
	}
	return Lab(name, settings)
}

// Lab makes the bundle of a lab with settings in the form of --set.
func Lab(name string, settings []string) (fs.FS, error) {
	text, dumps, err := LabText(name)
	if err != nil {
		return nil, err
	}
	return lab.Read(filepath.ToSlash(filepath.Clean(name)), text, dumps, settings)
}

// LabText returns the text of a lab, and the dumps beside it.
func LabText(name string) (text []byte, dumps fs.FS, err error) {
	if text, known := labs.Text(name); known {
		return text, nil, nil
	}
	info, err := os.Stat(name)
	if err != nil {
		if _, err := os.Stat(name + ".lab"); err == nil {
			return nil, nil, fmt.Errorf("there is no lab %[1]q; lab:%[1]s.lab names that file", name)
		}
		return nil, nil, fmt.Errorf("there is no lab %q: no file, no folder, and none of %s",
			name, strings.Join(labs.Names(), ", "))
	}
	if !info.IsDir() {
		text, err = readLab(name)
		return text, nil, err
	}
	text, err = readLab(filepath.Join(name, lab.File))
	if os.IsNotExist(err) {
		err = nil // dumps alone
	}
	return text, os.DirFS(name), err
}

// mostOfLab is more than any lab has.
const mostOfLab = 16 << 20

func readLab(name string) ([]byte, error) {
	if info, err := os.Stat(name); err == nil && info.Size() > mostOfLab {
		return nil, fmt.Errorf("%s: more than %d bytes", name, mostOfLab)
	}
	return os.ReadFile(name)
}
