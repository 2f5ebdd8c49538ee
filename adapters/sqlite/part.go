package sqlite

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
)

// CopyPart makes another store of some snapshots in a new file, which nobody may write to: hosts that share a file system may all read
// it at once.
func (s *Store) CopyPart(ctx context.Context, path string, ids []int64) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer discard(conn) // which may write from here on
	for _, do := range []string{"PRAGMA query_only = OFF", "VACUUM INTO '" + strings.ReplaceAll(path, "'", "''") + "'"} {
		if _, err := conn.ExecContext(ctx, do); err != nil {
			return fmt.Errorf("store %s: copy it to %s: %w", s.path, path, explain(s.path, err))
		}
	}
	part, err := Open(path)
	if err != nil {
		return err
	}
	infos, err := part.Snapshots(ctx)
	var others []int64
	for _, i := range infos {
		if !slices.Contains(ids, i.ID) {
			others = append(others, i.ID)
		}
	}
	if err == nil && len(others) > 0 {
		err = part.Delete(ctx, others...)
	}
	if closed := part.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(path, 0o400)
	}
	return err
}
