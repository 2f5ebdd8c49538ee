package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"text/template"

	"go.yaml.in/yaml/v3"
)

// initAnswers are the data of a configuration.
type initAnswers struct {
	Cluster                   string // what the cluster calls itself, for people
	Name                      string // in the configuration
	From, Settings, SSHConfig string
	Store, Reports            string
	Minutes                   string
	Page                      bool
}

// configuration is the text of the file. Foreign text is quoted as YAML, and never on a second line.
func (a *initAnswers) configuration() (string, error) {
	quoted := *a
	for _, text := range []*string{&quoted.From, &quoted.Settings, &quoted.SSHConfig, &quoted.Store, &quoted.Reports} {
		if *text == "" {
			continue
		}
		scalar, err := yaml.Marshal(&yaml.Node{Kind: yaml.ScalarNode, Style: scalarStyle(*text), Tag: "!!str", Value: *text})
		if err != nil {
			return "", err
		}
		*text = strings.TrimSpace(string(scalar))
		if strings.Contains(*text, "\n") {
			return "", fmt.Errorf("%s cannot be used in a configuration", *text)
		}
	}
	quoted.Cluster = strconv.QuoteToASCII(a.Cluster)
	var b strings.Builder
	err := template.Must(template.New("").Parse(initFile)).Execute(&b, quoted)
	return b.String(), err
}

// scalarStyle returns the plain style for plain text, and double quotes for any other text.
func scalarStyle(text string) yaml.Style {
	if strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-") == "" {
		return 0
	}
	return yaml.DoubleQuotedStyle
}

// packagedMark begins the configuration that packages install.
const packagedMark = "# packaged default: "

// packaged reports whether a file is the one that a package installed.
func packaged(file string) bool {
	text, err := os.ReadFile(file)
	return err == nil && strings.HasPrefix(string(text), packagedMark)
}

// put writes a file whole or not at all, and keeps the old one. The group of the service may read it; others
// may not, as it can name secrets.
func put(file, text string, replace bool) error {
	folder := filepath.Dir(file)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return cannotWrite(file, err)
	}
	f, err := os.CreateTemp(folder, ".qprism-init-")
	if err != nil {
		return cannotWrite(file, err)
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Chmod(0o640), forService(f), f.Close())
	switch {
	case err != nil:
		return err
	case replace:
		if err := os.Rename(file, file+".old"); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return os.Link(f.Name(), file) // fails if somebody made the file meanwhile
}

// cannotWrite says which file it was, and how to choose another one.
func cannotWrite(file string, err error) error {
	if where, is := errors.AsType[*fs.PathError](err); is {
		err = where.Err
	}
	return fmt.Errorf(cannotWriteTo, file, err)
}

// forService lets the service read a file that root writes.
func forService(f *os.File) error {
	if os.Getuid() != 0 {
		return nil
	}
	g, err := user.LookupGroup("qprism")
	if err != nil {
		return nil //nolint:nilerr // no package made the account, so whoever runs serve is not known
	}
	gid, err := strconv.Atoi(g.Gid)
	if err != nil {
		return err
	}
	return f.Chown(0, gid)
}

// giveToFolder gives a store that root made to the owner of its folder: the service writes it.
func giveToFolder(store string) error {
	if os.Getuid() != 0 {
		return nil
	}
	info, err := os.Stat(filepath.Dir(store))
	if err != nil {
		return err
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	parts, err := filepath.Glob(store + "*")
	for _, part := range parts {
		err = errors.Join(err, os.Lchown(part, int(owner.Uid), int(owner.Gid)))
	}
	return err
}
