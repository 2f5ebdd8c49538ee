package drive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"go.yaml.in/yaml/v3"

	"qprism/engine/gridengine/dispatch"
)

// readRules reads the rules of a site, a list in YAML. Each step reads them again, so a change needs no
// restart.
func readRules(file string) (rules []dispatch.Rule, err error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&rules); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if err := dispatch.Check(rules); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return rules, nil
}
