package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"qprism/engine/model"
	"qprism/importer"
	pbsfiles "qprism/importer/pbs"
)

// masterLogs are files of PBS that tell what its scheduler did, where the bundle lacks them.
type masterLogs struct {
	sched, accounting string // paths, which may go on inside an archive; empty for none
}

// addMasterLogs gives a command the flags that name them.
func addMasterLogs(c *cobra.Command, l *masterLogs) {
	c.Flags().StringVar(&l.sched, "sched-log", "", "of PBS: a scheduler's log `file` that the bundle lacks")
	c.Flags().StringVar(&l.accounting, "accounting", "", "of PBS: an accounting `file` that the bundle lacks")
}

func (l *masterLogs) given() bool { return l.sched+l.accounting != "" }

// read reads the files that are named.
func (l *masterLogs) read(zone *time.Location) (cycles []model.SchedCycle, records []model.AccountingRecord, err error) {
	if l.sched != "" {
		err = inFolder(l.sched, func(folder fs.FS, file string) (err error) {
			cycles, err = pbsfiles.ReadCycles(folder, file, zone)
			return err
		})
	}
	if err == nil && l.accounting != "" {
		err = inFolder(l.accounting, func(folder fs.FS, file string) (err error) {
			records, err = pbsfiles.ReadAccounting(folder, file, zone)
			return err
		})
	}
	return cycles, records, err
}

// inFolder reads a file in the folder that it lies in, on disk or inside an archive.
func inFolder(path string, read func(folder fs.FS, file string) error) error {
	dir, file := filepath.Dir(path), filepath.Base(path)
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return read(os.DirFS(dir), file)
	}
	folder, closer, err := importer.Open(dir)
	if err != nil {
		return err
	}
	defer closer.Close()
	if info, err := fs.Stat(folder, file); err != nil || info.IsDir() {
		return fmt.Errorf("%s: no such file", path)
	}
	return read(folder, file)
}

// addTo puts what the files tell into a snapshot that lacks it.
func (l *masterLogs) addTo(s *model.Snapshot) error {
	cycles, records, err := l.read(zoneOf(s))
	if err != nil {
		return err
	}
	if l.sched != "" {
		s.PBS.Cycles = cycles
	}
	if l.accounting != "" {
		s.PBS.Accounting = records
	}
	return nil
}

// firstArgument is the first argument, empty for none.
func firstArgument(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// beside finds the logs of a recording, whose steps are bundles in folders and whose logs lie in a folder beside them.
func (l *masterLogs) beside(s *model.Snapshot, bundle string) {
	for range 2 {
		if bundle = filepath.Dir(bundle); bundle == "." || bundle == string(filepath.Separator) {
			return
		}
		found := masterLogs{filepath.Join(bundle, "logs", "sched_log.txt"), filepath.Join(bundle, "logs", "accounting.txt")}
		if cycles, records, err := found.read(zoneOf(s)); err == nil {
			*l, s.PBS.Cycles, s.PBS.Accounting = found, cycles, records
			return
		}
	}
}
