package sqlite

import (
	"context"
	"database/sql"
	"errors"
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

func TestEveryTableIsStrictAndEveryNounHasAView(t *testing.T) {
	s := openTemp(t)
	var lax int
	if err := s.db.QueryRow(`SELECT count(*) FROM pragma_table_list
		WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND NOT strict`).Scan(&lax); err != nil || lax > 0 {
		t.Errorf("%d tables are not STRICT, %v", lax, err)
	}
	c := newFakeCluster(1, 30, 4)
	mustImport(t, s, c.bundle(), c.snapshot())
	for view, want := range map[string]int{"host": 4, "queue_instance": 4, "user": 60, "policy": 1, "share_node": 2} {
		var rows int
		if err := s.db.QueryRow(`SELECT count(*) FROM ` + view).Scan(&rows); err != nil || rows != want {
			t.Errorf("view %s has %d rows instead of %d, %v", view, rows, want, err)
		}
	}
	for _, view := range []string{"request", "queue", "resource", "project", "userset"} {
		if err := run(context.Background(), mustConn(t, s), `SELECT * FROM `+view); err != nil {
			t.Errorf("view %s: %v", view, err)
		}
	}
	var owner, value string
	if err := s.db.QueryRow(`SELECT s.owner, r.value FROM job j JOIN spec s ON s.id = j.spec_id
		JOIN request r ON r.spec_id = s.id AND r.resource = 'mem_free' WHERE j.number = 1001`).Scan(&owner, &value); err != nil ||
		!strings.HasPrefix(owner, "usr") || value != "4G" {
		t.Errorf("job 1001 is of %q and asks for %q, %v", owner, value, err)
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

func TestNewerStoreIsRefused(t *testing.T) {
	path := newStoreFile(t)
	change(t, path, `PRAGMA user_version = 1000`, `INSERT INTO migration VALUES (1000, 0, 'v9.1.0')`)
	before := mustRead(t, path)
	_, err := Open(path)
	var newer *NewerError
	if !errors.As(err, &newer) || newer.Version != 1000 || newer.Release != "v9.1.0" {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{path, "v9.1.0", "1000", "another store"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
	if string(mustRead(t, path)) != string(before) {
		t.Error("the newer store was changed")
	}
	change(t, path, `DROP TABLE migration`)
	if _, err := Open(path); !errors.As(err, &newer) || newer.Release != "" {
		t.Errorf("without the table of migrations: %v", err)
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
		"text":                          {[]byte(strings.Repeat("job_number 7\n", 1000)), ErrNotStore},
		"random bytes":                  {randomBytes(3, 10000), ErrNotStore},
		"a database of another program": {mustRead(t, other), ErrNotStore},
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

func TestDamagedContentIsFoundOut(t *testing.T) {
	for name, statement := range map[string]string{
		"other bytes":       `UPDATE content SET data = (SELECT data FROM content WHERE size <> c.size LIMIT 1) FROM content c WHERE c.id = content.id`,
		"a frame cut short": `UPDATE content SET data = substr(data, 1, length(data) / 2)`,
		"a missing part":    `DELETE FROM part WHERE noun = 'job_state' AND first = (SELECT max(first) FROM part WHERE noun = 'job_state')`,
		"no JSON":           `UPDATE object SET body = '{"Name":' WHERE noun = 'host'`,
		"another spec":      `UPDATE spec SET body = '[1]'`,
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

// TestASizeThatNoContentHasIsDamage: it is read before anything is allocated.
func TestASizeThatNoContentHasIsDamage(t *testing.T) {
	for _, size := range []int{-1, 1 << 40, 1 << 62} {
		c := storedContent{id: 4, form: linesForm, size: size}
		if _, err := c.restore(nil); !errors.Is(err, ErrDamaged) {
			t.Errorf("%d: %v", size, err)
		}
	}
}

// TestAListThatAQueryMissesIsDamage: a snapshot has fewer lists than its seal says.
func TestAListThatAQueryMissesIsDamage(t *testing.T) {
	s, c := openTemp(t), newFakeCluster(1, 30, 4)
	id := mustImport(t, s, c.bundle(), c.snapshot()).ID
	err := s.inTransaction(context.Background(), toRead, func(conn *sql.Conn) error {
		own, err := sealed(context.Background(), conn, sealOfSnapshot, id)
		if err != nil {
			return err
		}
		l := loader{ctx: context.Background(), db: conn, codec: s.codec, snapshot: id, seal: own}
		own["event_client"] = extent{rows: 2}
		return errors.Join(l.holds(sealOfSnapshot, "host", int(own["host"].rows)), l.holds(sealOfSnapshot, "event_client", 0))
	})
	if !errors.Is(err, ErrDamaged) || strings.Contains(err.Error(), "4 were stored") {
		t.Errorf("got %v", err)
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
	if found < 10 {
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
