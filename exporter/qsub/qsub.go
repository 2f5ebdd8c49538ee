// Package qsub writes a program for users who migrate. The program reads command lines and scripts of Grid
// Engine's qsub(1), and submits the jobs to PBS or Slurm.
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

// Program writes the program. about describes it in one line. tables has the data of the cluster. own is Python
// code for the target system, which calls main. Names in the tables are quoted, so no name can end the text
// around it.
func Program(about string, tables any, own string) (string, error) {
	known, err := json.MarshalIndent(tables, "", " ")
	if err != nil {
		return "", fmt.Errorf("data of qsub.py: %w", err)
	}
	return strings.NewReplacer("@ABOUT@", about, "@TABLES@", model.PythonText(known)).Replace(common) + "\n\n" + own, nil
}
