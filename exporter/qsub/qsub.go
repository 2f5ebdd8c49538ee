// Package qsub writes a program that reads command lines and scripts for Grid Engine's qsub, and submits them
// to another system.
//
// Its files:
//   - qsub.go: Program writes the program
package qsub

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"qprism/engine/model"
)

//go:embed qsub.py
var common string

// Program writes the program. about describes it in a line, tables have the facts of the cluster, and own is
// the Python for the other system, which calls main. Names in tables are quoted, so they cannot end the text
// around them.
func Program(about string, tables any, own string) (string, error) {
	known, err := json.MarshalIndent(tables, "", " ")
	if err != nil {
		return "", fmt.Errorf("what qsub.py knows: %w", err)
	}
	return strings.NewReplacer("@ABOUT@", about, "@TABLES@", model.PythonText(known)).Replace(common) + "\n\n" + own, nil
}
