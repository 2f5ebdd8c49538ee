package collect

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A state has data that one capture keeps for the next: facts, and the configuration that seldom changes.
type state struct {
	folder string

	Facts map[string]string // such as SGE_ROOT
	Sum   string            // checksum of the configuration that is captured each time
	Kinds map[string]kept   // by file
}

// A kept file is a file in the folder of the state.
type kept struct {
	Captured time.Time
	Names    []string // names of its objects
	Commands []string // its lines in MANIFEST
	Content  string   // its checksum; empty for a missing file, because no such objects exist
}

const stateFile = "state.json"

// loadState loads a state. If it cannot be read, the capture captures everything again.
func loadState(folder string) *state {
	s := &state{}
	if text, err := os.ReadFile(filepath.Join(folder, stateFile)); err == nil && folder != "" {
		if json.Unmarshal(text, s) != nil {
			s = &state{}
		}
	}
	s.folder = folder
	if s.Facts == nil {
		s.Facts = map[string]string{}
	}
	if s.Kinds == nil {
		s.Kinds = map[string]kept{}
	}
	return s
}

// keepState saves data for the next capture. The next capture uses a file only if its content is still the
// same.
func (c *capture) keepState() {
	if c.state.folder == "" {
		return
	}
	text, err := json.Marshal(c.state)
	part := filepath.Join(c.state.folder, stateFile+".part")
	c.fail(errors.Join(err, os.WriteFile(part, text, 0o600), os.Rename(part, filepath.Join(c.state.folder, stateFile))))
}

// reuse puts a file of an earlier capture into the bundle. It reports whether that was possible.
func (c *capture) reuse(file string) bool {
	k, have := c.state.Kinds[file]
	if !have || c.state.folder == "" {
		return false
	}
	if k.Content != "" {
		sum, err := copyFile(filepath.Join(c.folder, file), filepath.Join(c.state.folder, file))
		if err != nil || sum != k.Content {
			_ = os.Remove(filepath.Join(c.folder, file))
			return false
		}
	}
	for _, line := range k.Commands {
		c.lines.WriteString(line + "\n")
	}
	fmt.Fprintf(&c.lines, "kept %s %d\n", file, k.Captured.Unix())
	c.report.Kept = append(c.report.Kept, file)
	c.report.KeptAge = max(c.report.KeptAge, c.report.Captured.Sub(k.Captured))
	return true
}

// remember keeps a file of the bundle for the next capture, with the lines of MANIFEST from this place on.
func (c *capture) remember(file string, names []string, from int) {
	if c.state.folder == "" || c.err != nil {
		return
	}
	k := kept{Captured: c.report.Captured, Names: names}
	for line := range strings.Lines(c.lines.String()[from:]) {
		k.Commands = append(k.Commands, strings.TrimSuffix(line, "\n"))
	}
	var err error
	k.Content, err = copyFile(filepath.Join(c.state.folder, file), filepath.Join(c.folder, file))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		c.fail(fmt.Errorf("keep %s for the next capture: %w", file, err))
	}
	c.state.Kinds[file] = k
}

// copyFile copies a file and returns the checksum of its content.
func copyFile(to, from string) (sum string, err error) {
	source, err := os.Open(from)
	if err != nil {
		return "", err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	_, err = io.Copy(io.MultiWriter(target, h), source)
	return hex.EncodeToString(h.Sum(nil)), errors.Join(err, target.Close())
}
