package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// What is stored is sealed: a snapshot, its analysis, a push and a drive each have a row of seal that says how many rows
// they consist of, noun by noun, and the sum of these. Contents, objects, lists and specs are known by their hashes, so
// that the sum of the rows that refer to them is the sum of everything. A row that was changed, lost, added or exchanged
// with another is found out when it is read, whatever did it, and so is a seal.
//
// Sums are the first eight bytes of a SHA-256: they find accidents, not forgers, who can write a new sum.
const (
	sealOfSnapshot = "snapshot"
	sealOfAnalysis = "analysis"
	sealOfPush     = "push"
	sealOfDrive    = "drive"
)

// sealKinds are all kinds of seals, with the table that has a row for each.
var sealKinds = []string{sealOfSnapshot, sealOfAnalysis, sealOfPush, sealOfDrive}

// An extent is how many rows something has, and their sum.
type extent struct {
	rows int64
	sum  uint64
}

// A seal is the extents of what a snapshot, an analysis, a push or a drive consists of, by noun.
type seal map[string]extent

// text is the seal as it is stored.
func (s seal) text() string {
	var b strings.Builder
	for _, noun := range slices.Sorted(maps.Keys(s)) {
		b.WriteString(s[noun].line(noun))
	}
	return b.String()
}

// line is the line of a seal about a noun.
func (e extent) line(noun string) string { return fmt.Sprintf("%s %d %x\n", noun, e.rows, e.sum) }

// parseSeal is the inverse of text.
func parseSeal(text string) (seal, error) {
	s := seal{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) != 3 {
			return nil, fmt.Errorf("%w: its seal says %q", ErrDamaged, line)
		}
		rows, err1 := strconv.ParseInt(words[1], 10, 64)
		sum, err2 := strconv.ParseUint(words[2], 16, 64)
		if err := errors.Join(err1, err2); err != nil {
			return nil, fmt.Errorf("%w: its seal says %q: %w", ErrDamaged, line, err)
		}
		s[words[0]] = extent{rows, sum}
	}
	return s, nil
}

// compare is an error that names the first noun that is not as it was sealed. Only nouns of these names are compared, if any is given.
func (s seal) compare(now seal, only ...string) error {
	nouns := maps.Clone(s)
	maps.Copy(nouns, now)
	for _, noun := range slices.Sorted(maps.Keys(nouns)) {
		was, is := s[noun], now[noun]
		switch {
		case was == is || len(only) > 0 && !slices.Contains(only, noun):
		case was.rows != is.rows:
			return fmt.Errorf("%w: %s: %d rows, but %d were stored", ErrDamaged, noun, is.rows, was.rows)
		default:
			return fmt.Errorf("%w: %s: its rows are not those that were stored", ErrDamaged, noun)
		}
	}
	return nil
}

// A rowSum adds up rows in their order.
type rowSum struct {
	extent
	text []byte
}

func (r *rowSum) add(row string) {
	r.rows++
	r.text = append(binary.AppendUvarint(r.text, uint64(len(row))), row...)
}

// addPart adds a part by its place and the hash of its content.
func (r *rowSum) addPart(first int64, sum []byte) {
	r.rows++
	r.text = append(binary.LittleEndian.AppendUint64(r.text, uint64(first)), sum...)
}

func (r *rowSum) done() extent {
	r.sum = sumOf(r.text)
	return r.extent
}

func sumOf(text []byte) uint64 {
	sum := sha256.Sum256(text)
	return binary.LittleEndian.Uint64(sum[:])
}

// rowsOf is the extent of rows of a table, all their columns. The rest of the query says which, in what order.
func rowsOf(ctx context.Context, db queryer, table, rest string, args ...any) (extent, error) {
	text, err := rowText(ctx, db, table)
	if err != nil {
		return extent{}, err
	}
	return extentOf(ctx, db, `SELECT `+text+` FROM `+table+` `+rest, args...)
}

// extentOf is the extent of the rows of a query, which have one column.
func extentOf(ctx context.Context, db queryer, query string, args ...any) (extent, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return extent{}, err
	}
	defer rows.Close()
	var all rowSum
	for rows.Next() {
		var row string
		if err := rows.Scan(&row); err != nil {
			return extent{}, err
		}
		all.add(row)
	}
	return all.done(), rows.Err()
}

// rowText is the SQL expression of all columns of a table as one text.
func rowText(ctx context.Context, db queryer, table string) (string, error) {
	rows, err := db.QueryContext(ctx, `SELECT name FROM pragma_table_info(?) ORDER BY cid`, table)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var columns []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return "", err
		}
		columns = append(columns, `quote(`+table+`."`+name+`")`)
	}
	if err := rows.Err(); err != nil {
		return "", err
	}
	if len(columns) == 0 {
		return "", fmt.Errorf("%w: there is no table %s", ErrDamaged, table)
	}
	return strings.Join(columns, `||','||`), nil
}

// sealNow is what the seal of something would be now. The rows of what is not there are none.
func sealNow(ctx context.Context, db queryer, kind string, id int64) (seal, error) {
	switch kind {
	case sealOfSnapshot:
		return snapshotNow(ctx, db, id)
	case sealOfAnalysis:
		return analysisNow(ctx, db, id)
	case sealOfPush:
		return tablesNow(ctx, db, id, "push", "WHERE id = ?", "push_order", "WHERE push_id = ? ORDER BY seq")
	default:
		return tablesNow(ctx, db, id, "drive", "WHERE id = ?", "drive_claim", "WHERE drive_id = ? ORDER BY job, attribute",
			"drive_start", "WHERE drive_id = ? AND state IN ('planned', 'sent', 'unknown') ORDER BY seq")
	}
}

// tablesNow takes tables, each with the condition and order of its rows.
func tablesNow(ctx context.Context, db queryer, id int64, tables ...string) (seal, error) {
	s := seal{}
	for i := 0; i < len(tables); i += 2 {
		e, err := rowsOf(ctx, db, tables[i], tables[i+1], id)
		if err != nil {
			return nil, err
		}
		s[tables[i]] = e
	}
	return s, nil
}

const (
	selectLists = `SELECT sl.noun, (SELECT count(*) FROM list_object lo WHERE lo.list_id = sl.list_id), coalesce(hex(l.hash), '')
		FROM snapshot_list sl LEFT JOIN list l ON l.id = sl.list_id WHERE sl.snapshot_id = ? ORDER BY sl.noun`
	selectParts = `SELECT p.noun, p.first, coalesce(c.hash, x'') FROM part p LEFT JOIN content c ON c.id = p.content_id
		WHERE p.snapshot_id = ? `
)

// snapshotNow is what the seal of a snapshot would be now.
func snapshotNow(ctx context.Context, db queryer, id int64) (seal, error) {
	text, err := rowText(ctx, db, "snapshot")
	if err != nil {
		return nil, err
	}
	own, err := extentOf(ctx, db, `SELECT `+text+withCluster+` FROM snapshot WHERE id = ?`, id)
	if err != nil {
		return nil, err
	}
	s := seal{sealOfSnapshot: own}
	rows, err := db.QueryContext(ctx, selectLists, id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var noun, list string
		var n int64
		if err := rows.Scan(&noun, &n, &list); err != nil {
			return nil, err
		}
		s[noun] = extent{n, sumOf([]byte(list))}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return s, addParts(ctx, db, s, selectParts+`AND p.noun <> 'standing' ORDER BY p.noun, p.first`, id)
}

// withCluster adds the name of the cluster, and what its bundles call it, to the text of a row of snapshot.
const withCluster = `||','||coalesce((SELECT quote(name)||','||quote(called) FROM cluster k WHERE k.id = snapshot.cluster_id), '')`

// partOf begins the names of nouns' parts in a seal.
const partOf = "part:"

// addParts adds the parts of nouns to a seal. A noun of which there is a list has its parts besides.
func addParts(ctx context.Context, db queryer, s seal, query string, args ...any) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	parts := map[string]*rowSum{}
	for rows.Next() {
		var noun string
		var first int64
		var sum sql.RawBytes
		if err := rows.Scan(&noun, &first, &sum); err != nil {
			return err
		}
		p := parts[noun]
		if p == nil {
			p = &rowSum{}
			parts[noun] = p
		}
		p.addPart(first, sum)
	}
	for noun, p := range parts {
		s[partOf+noun] = p.done()
	}
	return rows.Err()
}

// loadTables are the tables of an analysis, without its standings.
var loadTables = []string{"analysis", "WHERE snapshot_id = ?", "waiting", "WHERE snapshot_id = ? ORDER BY seq"}

// analysisNow is what the seal of an analysis would be now.
func analysisNow(ctx context.Context, db queryer, id int64) (seal, error) {
	s, err := tablesNow(ctx, db, id, loadTables...)
	if err != nil {
		return nil, err
	}
	return s, addParts(ctx, db, s, selectParts+`AND p.noun = 'standing' ORDER BY p.first`, id)
}

// sealed reads the seal of something; ErrDamaged where it has none.
func sealed(ctx context.Context, db queryer, kind string, id int64) (seal, error) {
	var body string
	err := db.QueryRowContext(ctx, `SELECT body FROM seal WHERE kind = ? AND id = ?`, kind, id).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("%w: %s %d has no seal", ErrDamaged, kind, id)
	}
	if err != nil {
		return nil, err
	}
	return parseSeal(body)
}

// verify compares something with its seal.
func verify(ctx context.Context, db queryer, kind string, id int64) error {
	was, err := sealed(ctx, db, kind, id)
	if err != nil {
		return err
	}
	now, err := sealNow(ctx, db, kind, id)
	if err != nil {
		return err
	}
	return was.compare(now)
}

// setSeal seals something as it is now.
func setSeal(ctx context.Context, conn *sql.Conn, kind string, id int64) error {
	now, err := sealNow(ctx, conn, kind, id)
	if err != nil {
		return err
	}
	if err := dropSeal(ctx, conn, kind, id); err != nil {
		return err
	}
	body := now.text()
	if _, err := conn.ExecContext(ctx, `INSERT INTO seal (kind, id, body) VALUES (?, ?, ?)`, kind, id, body); err != nil {
		return err
	}
	return addToRoot(ctx, conn, kind, 1, sealSum(id, body))
}

// dropSeal deletes a seal, if there is one.
func dropSeal(ctx context.Context, conn *sql.Conn, kind string, id int64) error {
	var body string
	err := conn.QueryRowContext(ctx, `DELETE FROM seal WHERE kind = ? AND id = ? RETURNING body`, kind, id).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return addToRoot(ctx, conn, kind, -1, sealSum(id, body))
}

// sealSum is the sum of a row of seal.
func sealSum(id int64, body string) uint64 {
	return sumOf(append(binary.LittleEndian.AppendUint64(nil, uint64(id)), body...))
}

// addToRoot notes that there is a seal more or less. What did not fit together before does not afterwards.
func addToRoot(ctx context.Context, conn *sql.Conn, kind string, n int, sum uint64) error {
	root, err := rootOf(ctx, conn, kind)
	if err != nil {
		return err
	}
	return setRoot(ctx, conn, kind, extent{root.rows + int64(n), root.sum ^ sum})
}

func setRoot(ctx context.Context, conn *sql.Conn, kind string, e extent) error {
	if e == (extent{}) {
		_, err := conn.ExecContext(ctx, `DELETE FROM seal_root WHERE kind = ?`, kind)
		return err
	}
	_, err := conn.ExecContext(ctx, `INSERT INTO seal_root (kind, rows, sum) VALUES (?, ?, ?)
		ON CONFLICT DO UPDATE SET rows = excluded.rows, sum = excluded.sum`, kind, e.rows, int64(e.sum))
	return err
}

func rootOf(ctx context.Context, db queryer, kind string) (extent, error) {
	var rows, sum int64
	err := db.QueryRowContext(ctx, `SELECT rows, sum FROM seal_root WHERE kind = ?`, kind).Scan(&rows, &sum)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil // and none of that kind
	}
	return extent{rows, uint64(sum)}, err
}

// sealsOf reads all seals of a kind, and checks that none is lost, changed or added.
func sealsOf(ctx context.Context, db queryer, kind string) (map[int64]string, error) {
	bodies, all, err := readSeals(ctx, db, kind)
	if err != nil {
		return nil, err
	}
	root, err := rootOf(ctx, db, kind)
	if err != nil {
		return nil, err
	}
	switch {
	case root.rows != all.rows:
		return nil, fmt.Errorf("%w: %d seals of kind %s, but %d were stored", ErrDamaged, all.rows, kind, root.rows)
	case root != all:
		return nil, fmt.Errorf("%w: the seals of kind %s are not those that were stored", ErrDamaged, kind)
	}
	return bodies, nil
}

// readSeals reads all seals of a kind as they are, and adds them up.
func readSeals(ctx context.Context, db queryer, kind string) (bodies map[int64]string, all extent, err error) {
	rows, err := db.QueryContext(ctx, `SELECT id, body FROM seal WHERE kind = ?`, kind)
	if err != nil {
		return nil, all, err
	}
	defer rows.Close()
	bodies = map[int64]string{}
	for rows.Next() {
		var id int64
		var body string
		if err := rows.Scan(&id, &body); err != nil {
			return nil, all, err
		}
		bodies[id] = body
		all.rows++
		all.sum ^= sealSum(id, body)
	}
	return bodies, all, rows.Err()
}

// verifyRows compares the own row of everything of a kind with its seal. None is lost, and none was added.
func verifyRows(ctx context.Context, db queryer, kind string) error {
	seals, err := sealsOf(ctx, db, kind)
	if err != nil {
		return err
	}
	now, err := ownRows(ctx, db, kind)
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(now)) {
		if _, sealed := seals[id]; !sealed {
			return fmt.Errorf("%s %d: %w: it has no seal", kind, id, ErrDamaged)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(seals)) {
		if strings.Contains("\n"+seals[id], "\n"+now[id].line(kind)) { // as the seal says
			continue
		}
		was, err := parseSeal(seals[id])
		if err == nil {
			err = was.compare(seal{kind: now[id]}, kind)
		}
		if err != nil {
			return fmt.Errorf("%s %d: %w", kind, id, err)
		}
	}
	return nil
}

// ownRows is the extent of the own row of everything of a kind.
func ownRows(ctx context.Context, db queryer, kind string) (map[int64]extent, error) {
	text, err := rowText(ctx, db, kind)
	if err != nil {
		return nil, err
	}
	id := "id"
	switch kind {
	case sealOfSnapshot:
		text += withCluster
	case sealOfAnalysis:
		id = "snapshot_id"
	}
	rows, err := db.QueryContext(ctx, `SELECT `+id+`, `+text+` FROM `+kind+` NOT INDEXED`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	now := map[int64]extent{}
	for rows.Next() {
		var id int64
		var row string
		if err := rows.Scan(&id, &row); err != nil {
			return nil, err
		}
		var sum rowSum
		sum.add(row)
		now[id] = sum.done()
	}
	return now, rows.Err()
}

// changeSealed changes a push or a drive in one transaction and seals it again. What is damaged already is not changed: it would count as
// whole afterwards.
func (s *Store) changeSealed(ctx context.Context, kind string, id int64, change func(*sql.Conn) error) error {
	return s.inTransaction(ctx, toWrite, func(c *sql.Conn) error {
		now, err := sealNow(ctx, c, kind, id)
		if err != nil {
			return err
		}
		if now[kind].rows > 0 {
			if err := verify(ctx, c, kind, id); err != nil {
				return fmt.Errorf("%s %d: %w", kind, id, err)
			}
		}
		if err := change(c); err != nil {
			return err
		}
		return setSeal(ctx, c, kind, id)
	})
}
