package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mattn/go-sqlite3"
)

func TestStoreIsMadeWhereThereIsNone(t *testing.T) {
	for _, name := range []string{"store.db", "a b%20?mode=ro#c.db", "größe.db"} {
		path := filepath.Join(t.TempDir(), name)
		s, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		infos, err := s.Snapshots(context.Background())
		if err != nil || len(infos) != 0 {
			t.Errorf("%v, %v", infos, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

func TestStoreIsOpenedAgainAndAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	c := newFakeCluster(1, 30, 4)
	for n := range 3 {
		s, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		infos, err := s.Snapshots(context.Background())
		if err != nil || len(infos) != n {
			t.Fatalf("%d snapshots instead of %d, %v", len(infos), n, err)
		}
		mustImport(t, s, c.bundle(), c.snapshot())
		c.step(300e9, 2)
		s.Close()
	}
}

func TestEveryTableIsStrict(t *testing.T) {
	s := openTemp(t)
	var lax int
	if err := s.db.QueryRow(`SELECT count(*) FROM pragma_table_list
		WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND NOT strict`).Scan(&lax); err != nil || lax > 0 {
		t.Errorf("%d tables are not STRICT, %v", lax, err)
	}
}

func mustConn(t *testing.T, s *Store) *sql.Conn {
	t.Helper()
	conn, err := s.db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func TestAStoreOfAnotherFormatIsRefused(t *testing.T) {
	path := newStoreFile(t)
	for _, format := range []int{7, 1000} {
		change(t, path, fmt.Sprint(`PRAGMA user_version = `, format),
			`UPDATE about SET value = 'v9.1.0' WHERE key = 'release'`)
		before := mustRead(t, path)
		for _, open := range []func(string, ...Option) (*Store, error){Open, OpenToRead} {
			_, err := open(path)
			var other *FormatError
			if !errors.As(err, &other) || other.Format != format || other.Release != "v9.1.0" ||
				!strings.Contains(err.Error(), path) {
				t.Fatalf("got %v", err)
			}
		}
		if string(mustRead(t, path)) != string(before) {
			t.Error("the store was changed")
		}
	}
	change(t, path, `DROP TABLE about`)
	var other *FormatError
	if _, err := Open(path); !errors.As(err, &other) || other.Release != "" {
		t.Errorf("of a format without its release: %v", err)
	}
}

func TestFilesThatAreNoStoreAreRefusedAndLeftAlone(t *testing.T) {
	store := mustRead(t, newStoreFile(t))
	other := filepath.Join(t.TempDir(), "other.db")
	change(t, other, `CREATE TABLE mail (text)`, `PRAGMA user_version = 1`)
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"text":                          {[]byte(strings.Repeat("job_number 7\n", 1000)), errNotStore},
		"random bytes":                  {randomBytes(3, 10000), errNotStore},
		"a database of another program": {mustRead(t, other), errNotStore},
		"the first half of a store":     {store[:len(store)/2], ErrDamaged},
		"the first page of a store":     {store[:8192], ErrDamaged},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(path, c.data, 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := Open(path)
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("got %v", err)
			}
			if string(mustRead(t, path)) != string(c.data) {
				t.Error("the file was changed")
			}
		})
	}
}

func TestErrorSaysThatTheFolderIsMissing(t *testing.T) {
	_, err := Open(filepath.Join(t.TempDir(), "missing", "store.db"))
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "missing does not exist") {
		t.Errorf("got %v", err)
	}
}

func TestErrorSaysThatAFolderIsNoStore(t *testing.T) {
	if _, err := Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "it is a folder") {
		t.Errorf("got %v", err)
	}
}

func TestDamagedBlocksAreFoundOut(t *testing.T) {
	for name, statement := range map[string]string{
		"other bytes":       `UPDATE block SET data = (SELECT data FROM block WHERE id <> b.id LIMIT 1) FROM block b WHERE b.id = block.id`,
		"a frame cut short": `UPDATE block SET data = substr(data, 1, length(data) / 2)`,
		"another hash":      `UPDATE block SET hash = randomblob(16)`,
		"a lost block":      `DELETE FROM block WHERE id = (SELECT max(id) FROM block)`,
		"a changed record":  `UPDATE record SET body = substr(body, 2)`,
	} {
		t.Run(name, func(t *testing.T) {
			s, c := openTemp(t), newFakeCluster(1, 300, 4)
			id := mustImport(t, s, c.bundle(), c.snapshot()).ID
			if _, err := s.db.Exec(statement); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Snapshot(context.Background(), id); !errors.Is(err, ErrDamaged) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestDamagedPagesAreFoundOut(t *testing.T) {
	path := newStoreFile(t)
	store := mustRead(t, path)
	const page = 8192
	found := 0
	for i := 1; i < len(store)/page; i++ {
		damaged := slices.Clone(store)
		copy(damaged[i*page:], randomBytes(uint64(i), page))
		if err := os.WriteFile(path, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := readAll(path); err != nil {
			found++
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("page %d: %v", i, err)
			}
		}
	}
	if found < len(store)/page/2 {
		t.Errorf("%d damaged pages of %d were found out", found, len(store)/page-1) // others are indices
	}
}

// readAll reads all that a store holds.
func readAll(path string) error {
	s, err := OpenToRead(path)
	if err != nil {
		return err
	}
	defer s.Close()
	infos, err := s.Snapshots(context.Background())
	if err != nil {
		return err
	}
	for _, info := range infos {
		if _, err := s.Snapshot(context.Background(), info.ID); err != nil {
			return err
		}
		raw, err := s.Raw(context.Background(), info.ID)
		if err != nil {
			return err
		}
		if err := fs.WalkDir(raw, ".", func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				_, err = fs.ReadFile(raw, name)
			}
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// newStoreFile makes a store with one snapshot and closes it.
func newStoreFile(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "store.db")
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	c := newFakeCluster(1, 30, 4)
	mustImport(t, s, c.bundle(), c.snapshot())
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// change executes statements in a database, without any check of this package.
func change(t *testing.T, path string, statements ...string) {
	t.Helper()
	db := sql.OpenDB(connector{&sqlite3.SQLiteDriver{}, path})
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
