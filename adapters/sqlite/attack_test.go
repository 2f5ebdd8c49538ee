package sqlite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-sqlite3"

	"qprism/engine/model"
)

var (
	corruptions = flag.Int("attack.corruptions", 40, "how many times the store is damaged")
	attackSeed  = flag.Uint64("attack.seed", 1, "the first of the random numbers")
	attackFrom  = flag.Int("attack.from", 0, "begin with the corruption of this number, to repeat one")
)

// TestAttackADamagedStoreNeverAnswersWrongly damages a store in one place, at random, and asks it
// everything that commands ask. Each answer is that of the whole store or an error, and whatever gave an
// error is found by Check.
func TestAttackADamagedStoreNeverAnswersWrongly(t *testing.T) {
	whole := attackedStore(t)
	clean := mustRead(t, whole)
	want := answers(t, whole)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if want[name].err != nil {
			t.Fatalf("the whole store: %s: %v", name, want[name].err)
		}
	}
	table := map[string]*struct{ times, refused, missed, wrong, panics int }{}
	path := filepath.Join(t.TempDir(), "damaged.db")
	for i := *attackFrom; i < *attackFrom+*corruptions; i++ {
		rng := rand.New(rand.NewPCG(*attackSeed, uint64(i)))
		kind, what := damage(t, rng, clean, path)
		if table[kind] == nil {
			table[kind] = new(struct{ times, refused, missed, wrong, panics int })
		}
		row := table[kind]
		row.times++
		refused := false
		got := answers(t, path)
		for _, name := range slices.Sorted(maps.Keys(want)) {
			a := got[name]
			switch {
			case a.panicked != "":
				row.panics++
				t.Errorf("%d: %s: %s: %s panics: %s", i, kind, what, name, a.panicked)
			case a.err != nil && !errors.Is(a.err, ErrNoSnapshot) && !errors.Is(a.err, model.ErrNoPush):
				refused = true
			case a.err != nil, a.sum != want[name].sum:
				row.wrong++
				t.Errorf("%d: %s: %s: %s answers wrongly (%v)", i, kind, what, name, a.err)
			}
		}
		if refused {
			row.refused++
			if !checkFinds(path) {
				row.missed++
				t.Errorf("%d: %s: %s: Check finds nothing", i, kind, what)
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(table)) {
		r := table[kind]
		t.Logf("%-28s %5d times, %5d of them refused, %d wrong answers, %d panics, %d unseen by check",
			kind, r.times, r.refused, r.wrong,
			r.panics, r.missed)
	}
}

// attackedStore makes a store that has something of everything.
func attackedStore(t *testing.T) string {
	t.Helper()
	path, ctx := filepath.Join(t.TempDir(), "whole.db"), context.Background()
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for n, c := range []*fakeCluster{newFakeCluster(1, 90, 4), newFakeCluster(2, 30, 3)} {
		for i := range 4 {
			snap := c.snapshot()
			snap.Cluster = []string{"vm/default", "other/default"}[n]
			if i%2 == 1 { // qalter
				snap.Jobs[3].Name, snap.Jobs[4].PosixPriority = fmt.Sprint("renamed", i), i
			}
			id := mustImport(t, s, c.bundle(), snap).ID
			must(s.SetAnalysis(ctx, id, &Analysis{Rules: "8.1.9, this", Standings: someStandings(snap),
				Load: model.Load{Slots: 40, Used: int64(i),
					Waiting: []model.CauseCount{{Cause: model.CausePriority, Jobs: 7, Tasks: 9},
						{Cause: model.CauseHold, Jobs: 1, Tasks: 1}}}}))
			c.step(5*time.Minute, 6)
		}
	}
	for i := range 3 {
		p := newPush()
		p.Begun = p.Begun.Add(time.Duration(i) * time.Hour)
		id, err := s.BeginPush(ctx, p)
		must(err)
		p.Orders[0].State = model.OrderConfirmed
		must(s.RecordOrders(ctx, id, map[int]model.Order{0: p.Orders[0]}))
		if i < 2 {
			must(s.EndPush(ctx, id, p.Begun.Add(time.Minute), "1 confirmed"))
		}
	}
	d := &model.Drive{Cluster: "vm/default", System: model.GridEngine, By: "root@vm:7", Owns: "user=a",
		Begun: time.Unix(1_700_000_000, 0)}
	id, err := s.BeginDrive(ctx, d)
	must(err)
	must(s.SaveDrive(ctx, id, []model.Claim{{Job: "3", Attribute: "hard", Was: "a=1", Becomes: "hostname=n1",
		State: model.OrderSent},
		{Job: "4", Attribute: "hold", Becomes: "1-4", State: model.OrderConfirmed}}))
	must(s.shrink(ctx))
	must(s.Close())
	return path
}

// An answer is what a store said to one question.
type answer struct {
	sum      [sha256.Size]byte
	err      error
	panicked string
}

// answers asks a store everything that commands ask.
func answers(t *testing.T, path string) map[string]answer {
	t.Helper()
	all, ctx := map[string]answer{}, context.Background()
	var s *Store
	ask := func(name string, question func() (any, error)) {
		var a answer
		func() {
			defer func() {
				if p := recover(); p != nil {
					a.panicked = fmt.Sprintf("%v\n%s", p, debug.Stack())
				}
			}()
			if s == nil {
				if s, a.err = OpenToRead(path); a.err != nil {
					return
				}
			}
			var said any
			if said, a.err = question(); a.err == nil {
				a.sum = sha256.Sum256(bodyOf(t, said))
			}
		}()
		all[name] = a
	}
	defer func() {
		if s != nil {
			s.Close()
		}
	}()
	ask("list", func() (any, error) { return s.Snapshots(ctx) })
	for _, infos := range [][]Info{{{ID: 3}}, {{ID: 1}, {ID: 2}, {ID: 3}, {ID: 4}, {ID: 5}, {ID: 6}, {ID: 7}, {ID: 8}}} {
		ask(fmt.Sprint("loads of ", len(infos)), func() (any, error) { return s.Loads(ctx, infos) })
	}
	for _, cluster := range []string{"vm/default", "other/default"} {
		ask("latest of "+cluster, func() (any, error) { return s.Latest(ctx, cluster) })
		ask("moment of "+cluster, func() (any, error) { return s.At(ctx, cluster, time.Unix(1_700_000_000+400, 0)) })
		ask("memory of "+cluster, func() (any, error) { return s.MemoryOf(ctx, cluster) })
		for _, number := range []uint32{1003, 1005, 1029, 1060, 1090, 1094} {
			ask(fmt.Sprintf("history of job %d of %s", number, cluster), func() (any, error) {
				return s.History(ctx, cluster, number)
			})
		}
	}
	for id := int64(1); id <= 8; id++ {
		ask(fmt.Sprint("snapshot ", id), func() (any, error) { return s.Snapshot(ctx, id) })
		ask(fmt.Sprint("analysis ", id), func() (any, error) { return s.Analysis(ctx, id) })
		ask(fmt.Sprint("bundle ", id), func() (any, error) { return filesOf(s.Raw(ctx, id)) })
	}
	ask("unanalysed", func() (any, error) { return s.Unanalyzed(ctx, "this") })
	ask("pushes", func() (any, error) { return s.Pushes(ctx, "vm/default") })
	ask("last push", func() (any, error) { return s.LastPush(ctx, "vm/default") })
	ask("push 2", func() (any, error) { return s.Push(ctx, 2) })
	ask("drives", func() (any, error) { return s.OpenDrives(ctx, "") })
	return all
}

// bodyOf writes anything as text, to the last bit.
func bodyOf(t *testing.T, v any) []byte {
	t.Helper()
	if text, err := json.Marshal(v); err == nil {
		return text
	}
	all := reflect.Indirect(reflect.ValueOf(v)) // JSON has no NaN
	if all.Kind() != reflect.Slice {
		all = reflect.Append(reflect.MakeSlice(reflect.SliceOf(all.Type()), 0, 1), all)
	}
	packed, err := pack(all)
	if err != nil {
		t.Fatal(err)
	}
	return packed
}

// filesOf reads all files of a bundle.
func filesOf(bundle fs.FS, err error) (map[string]string, error) {
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	err = fs.WalkDir(bundle, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(bundle, name)
		files[name] = string(data)
		return err
	})
	return files, err
}

// checkFinds reports whether Check finds damage, or ends in an error.
func checkFinds(path string) bool {
	s, err := OpenToRead(path)
	if err != nil {
		return true
	}
	defer s.Close()
	found, err := s.Check(context.Background())
	return err != nil || len(found) > 0
}

// damage writes a copy of a store that is damaged in one place, and says how.
func damage(t *testing.T, rng *rand.Rand, clean []byte, path string) (kind, what string) {
	t.Helper()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		os.Remove(path + suffix)
	}
	if rng.IntN(3) == 0 {
		damaged, kind, what := damagePages(rng, clean)
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		return kind, what
	}
	if err := os.WriteFile(path, clean, 0o600); err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector{&sqlite3.SQLiteDriver{}, path})
	defer db.Close()
	db.SetMaxOpenConns(1)
	for range 1000 {
		kind, statement, args := damageRows(t, rng, db)
		if statement == "" {
			continue
		}
		r, err := db.Exec(statement, args...)
		if err != nil {
			continue // a constraint
		}
		if n, err := r.RowsAffected(); err == nil && n > 0 {
			return kind, fmt.Sprintf("%s %.200q", statement, args)
		}
	}
	t.Fatal("no damage could be done")
	return "", ""
}

// damagePages changes bytes of the file without SQLite.
func damagePages(rng *rand.Rand, clean []byte) (damaged []byte, kind, what string) {
	const page = 8192
	damaged = bytes.Clone(clean)
	a, b := rng.IntN(len(clean)/page)*page, rng.IntN(len(clean)/page)*page
	switch rng.IntN(6) {
	case 0:
		kind, what = "page: zeros", fmt.Sprint(a)
		clear(damaged[a : a+page])
	case 1:
		kind, what = "page: two exchanged", fmt.Sprint(a, b)
		copy(damaged[a:], clean[b:b+page])
		copy(damaged[b:], clean[a:a+page])
	case 2:
		kind, what = "page: another in its place", fmt.Sprint(a, b)
		copy(damaged[a:], clean[b:b+page])
	case 3:
		n := rng.IntN(len(clean))
		return damaged[:n], "file: truncated", fmt.Sprint(n)
	default:
		kind = "page: bytes"
		for range 1 + rng.IntN(4) {
			at, to := rng.IntN(len(clean)), byte(rng.Uint32())
			what += fmt.Sprint(at, "=", to, " ")
			damaged[at] = to
		}
	}
	return damaged, kind, what
}

// attackedTables are those that hold what was stored.
var attackedTables = []string{"block", "record", "total"}

// damageRows makes a statement that changes one row, or two.
func damageRows(t *testing.T, rng *rand.Rand, db *sql.DB) (kind, statement string, args []any) {
	t.Helper()
	for _, p := range []string{"PRAGMA foreign_keys = OFF", "PRAGMA ignore_check_constraints = ON"} {
		if _, err := db.Exec(p); err != nil {
			t.Fatal(err)
		}
	}
	table := attackedTables[rng.IntN(len(attackedTables))]
	columns, keys := columnsOf(t, db, table)
	one, other := randomRow(t, rng, db, table, columns), randomRow(t, rng, db, table, columns)
	if one == nil || other == nil {
		return "", "", nil
	}
	where, whereArgs := whereIs(columns, keys, one)
	c := rng.IntN(len(columns))
	switch rng.IntN(6) {
	case 0:
		return "row: deleted", `DELETE FROM ` + table + ` WHERE ` + where, whereArgs
	case 1:
		row := slices.Clone(one)
		for _, k := range keys {
			if n, ok := row[k].(int64); ok {
				row[k] = n + 1 + rng.Int64N(9)
			} else if rng.IntN(2) == 0 {
				row[k] = other[k]
			}
		}
		return "row: duplicated", `INSERT INTO ` + table + ` (` + strings.Join(columns, ", ") + `) VALUES (?` +
			strings.Repeat(", ?", len(columns)-1) + `)`, row
	case 2:
		short, ok := truncated(rng, one[c])
		if !ok {
			return "", "", nil
		}
		return "value: truncated", `UPDATE ` + table + ` SET ` + columns[c] + ` = ? WHERE ` + where,
			append([]any{short}, whereArgs...)
	case 3: // two rows exchange all but their keys: which is the same as exchanging the keys
		other[c], one[c] = one[c], other[c]
		return "value: that of another row", `UPDATE ` + table + ` SET ` + columns[c] + ` = ? WHERE ` + where,
			append([]any{one[c]}, whereArgs...)
	case 4:
		if len(keys) != 1 || fmt.Sprint(one[keys[0]]) == fmt.Sprint(other[keys[0]]) {
			return "", "", nil
		}
		if exchange(db, table, columns[keys[0]], one[keys[0]], other[keys[0]]) {
			return "rows: exchanged", `UPDATE ` + table + ` SET ` + columns[keys[0]] + ` = ? WHERE ` + columns[keys[0]] + ` = ?`,
				[]any{other[keys[0]], int64(-99)}
		}
		return "", "", nil
	}
	changed, ok := changedValue(rng, one[c])
	if !ok {
		return "", "", nil
	}
	return "value: changed", `UPDATE ` + table + ` SET ` + columns[c] + ` = ? WHERE ` + where,
		append([]any{changed}, whereArgs...)
}

// exchange exchanges the keys of two rows but for the last step.
func exchange(db *sql.DB, table, key string, one, other any) bool {
	if _, number := one.(int64); !number {
		return false
	}
	for _, step := range [][2]any{{int64(-99), one}, {one, other}} {
		if _, err := db.Exec(`UPDATE `+table+` SET `+key+` = ? WHERE `+key+` = ?`, step[0], step[1]); err != nil {
			return false
		}
	}
	return true
}

func columnsOf(t *testing.T, db *sql.DB, table string) (columns []string, keys []int) {
	t.Helper()
	rows, err := db.Query(`SELECT name, pk FROM pragma_table_info(?) ORDER BY cid`, table)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var pk int
		if err := rows.Scan(&name, &pk); err != nil {
			t.Fatal(err)
		}
		if pk > 0 {
			keys = append(keys, len(columns))
		}
		columns = append(columns, `"`+name+`"`)
	}
	return columns, keys
}

// randomRow reads any row of a table; nil where it has none.
func randomRow(t *testing.T, rng *rand.Rand, db *sql.DB, table string, columns []string) []any {
	t.Helper()
	var n int
	if err := db.QueryRow(`SELECT count(*) FROM ` + table).Scan(&n); err != nil || n == 0 {
		return nil
	}
	row, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range row {
		into[i] = &row[i]
	}
	if err := db.QueryRow(`SELECT `+strings.Join(columns, ", ")+` FROM `+table+` LIMIT 1 OFFSET ?`,
		rng.IntN(n)).Scan(into...); err != nil {
		t.Fatal(err)
	}
	return row
}

func whereIs(columns []string, keys []int, row []any) (where string, args []any) {
	var terms []string
	for _, k := range keys {
		terms, args = append(terms, columns[k]+` = ?`), append(args, row[k])
	}
	return strings.Join(terms, " AND "), args
}

func truncated(rng *rand.Rand, v any) (any, bool) {
	switch v := v.(type) {
	case []byte:
		return v[:rng.IntN(max(len(v), 1))], len(v) > 0
	case string:
		return v[:rng.IntN(max(len(v), 1))], len(v) > 0
	case int64:
		return v % 256, v%256 != v
	}
	return nil, false
}

func changedValue(rng *rand.Rand, v any) (any, bool) {
	switch v := v.(type) {
	case []byte:
		if len(v) == 0 {
			return []byte{1}, true
		}
		v = bytes.Clone(v)
		v[rng.IntN(len(v))] ^= 1 << rng.IntN(8)
		return v, true
	case string:
		if v == "" {
			return "x", true
		}
		b := []byte(v)
		b[rng.IntN(len(b))] = "0a1Z\x00 \"{"[rng.IntN(8)]
		return string(b), string(b) != v
	case int64:
		return v ^ 1<<rng.IntN(63), true
	case nil:
		return int64(1), true
	}
	return nil, false
}
