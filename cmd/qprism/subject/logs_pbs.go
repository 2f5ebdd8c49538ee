package subject

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

// MasterLogs names log files of PBS, for bundles that lack them.
type MasterLogs struct {
	Sched, Accounting string // paths, also inside an archive; empty for none
}

// AddMasterLogs adds the flags for these files.
func AddMasterLogs(c *cobra.Command, l *MasterLogs) {
	c.Flags().StringVar(&l.Sched, "sched-log", "", "PBS: a scheduler log `file` that the bundle lacks")
	c.Flags().StringVar(&l.Accounting, "accounting", "", "PBS: an accounting `file` that the bundle lacks")
}

func (l *MasterLogs) Given() bool { return l.Sched+l.Accounting != "" }

// Read reads these files. An empty path is skipped.
func (l *MasterLogs) Read(zone *time.Location) (cycles []model.SchedCycle,
	records []model.AccountingRecord, err error) {
	if l.Sched != "" {
		err = InFolder(l.Sched, func(folder fs.FS, file string) (err error) {
			cycles, err = pbsfiles.ReadCycles(folder, file, zone)
			return err
		})
	}
	if err == nil && l.Accounting != "" {
		err = InFolder(l.Accounting, func(folder fs.FS, file string) (err error) {
			records, err = pbsfiles.ReadAccounting(folder, file, zone)
			return err
		})
	}
	return cycles, records, err
}

// InFolder calls read with the folder of a file, on disk or inside an archive.
func InFolder(path string, read func(folder fs.FS, file string) error) error {
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

// addTo adds the contents of the files to a snapshot that lacks them.
func (l *MasterLogs) addTo(s *model.Snapshot) error {
	cycles, records, err := l.Read(s.Zone())
	if err != nil {
		return err
	}
	if l.Sched != "" {
		s.PBS.Cycles = cycles
	}
	if l.Accounting != "" {
		s.PBS.Accounting = records
	}
	return nil
}

// FirstArgument returns the first argument, or an empty text.
func FirstArgument(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// Beside finds the logs of a recording. Its bundles are in folders, and the logs are in another folder beside
// them.
func (l *MasterLogs) Beside(s *model.Snapshot, bundle string) {
	for range 2 {
		if bundle = filepath.Dir(bundle); bundle == "." || bundle == string(filepath.Separator) {
			return
		}
		found := MasterLogs{filepath.Join(bundle, "logs", "sched_log.txt"), filepath.Join(bundle, "logs", "accounting.txt")}
		if cycles, records, err := found.Read(s.Zone()); err == nil {
			*l, s.PBS.Cycles, s.PBS.Accounting = found, cycles, records
			return
		}
	}
}
