package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"qprism/engine/model"
)

// In the store each cluster has a name of its own. Bundles may call two clusters the same: then the second one is "NAME#2". Which of them a
// bundle is of is known by what it says of its cluster's identity; one that says nothing is of the only cluster that is called so.

// An AmbiguousError means that it is not known of which cluster a bundle, or what is reached, is.
type AmbiguousError struct {
	Called   string
	Clusters []string // that are called so
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%d clusters are called %s (%s), and what tells them apart is not known of this one; say which it is with --cluster NAME",
		len(e.Clusters), e.Called, strings.Join(e.Clusters, ", "))
}

// A MixedError means that a bundle was said to be of a cluster, and is of another one.
type MixedError struct{ Cluster, Why string }

func (e *MixedError) Error() string {
	return fmt.Sprintf("it is not of cluster %s: %s; give it another --cluster NAME", e.Cluster, e.Why)
}

// A knownCluster is a cluster of the store, with the identity of its newest snapshot that says most.
type knownCluster struct {
	id           int64
	name, called string
	identity     model.Identity
}

// NameOf is the name in the store of a cluster that is called so and has that identity, or the one that it would get.
func (s *Store) NameOf(ctx context.Context, called string, identity model.Identity) (name string, err error) {
	err = s.inTransaction(ctx, toRead, func(conn *sql.Conn) error {
		known, err := clusters(ctx, conn)
		if err != nil {
			return err
		}
		k, err := among(known, called, identity)
		if k != nil {
			name = k.name
		} else {
			name = newName(known, called, identity)
		}
		return err
	})
	if err != nil {
		return "", fmt.Errorf("store %s: %w", s.path, err)
	}
	return name, nil
}

// clusters are all of the store. One of which it has a push or a drive and no snapshot any more is called by its name without a number.
func clusters(ctx context.Context, db queryer) (list []knownCluster, err error) {
	if err := errors.Join(verifyRows(ctx, db, sealOfSnapshot), verifyRows(ctx, db, sealOfPush), verifyRows(ctx, db, sealOfDrive)); err != nil {
		return nil, err
	}
	rows, err := db.QueryContext(ctx, `SELECT k.id, k.name, k.called, coalesce(s.identity, ''), coalesce(s.product, '') FROM cluster k
		LEFT JOIN snapshot s ON s.id = (SELECT o.id FROM snapshot o WHERE o.cluster_id = k.id ORDER BY o.identity LIKE '%root %' DESC, o.identity <> '' DESC, o.id DESC LIMIT 1)
		UNION ALL SELECT 0, cluster, CASE WHEN cluster GLOB '*#[0-9]*' THEN substr(cluster, 1, instr(cluster, '#') - 1) ELSE cluster END, identity, ''
			FROM (SELECT cluster, identity FROM push UNION SELECT cluster, identity FROM drive) WHERE cluster NOT IN (SELECT name FROM cluster)`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var k knownCluster
		var identity, product string
		if err := rows.Scan(&k.id, &k.name, &k.called, &identity, &product); err != nil {
			return nil, err
		}
		k.name, k.called = unescape(k.name), unescape(k.called)
		if k.identity, err = parseIdentity(identity); err != nil {
			return nil, fmt.Errorf("cluster %q: %w", k.name, err)
		}
		if system := model.System(product); identity == "" && (system == model.PBSSystem || system == model.Torque) {
			k.identity.System = system
		}
		list = append(list, k)
	}
	return list, rows.Err()
}

func parseIdentity(text string) (model.Identity, error) { return model.ParseIdentity(unescape(text)) }

// among finds the cluster that is called so, by its bundles or in the store, and has an identity; nil for none.
func among(known []knownCluster, called string, identity model.Identity) (*knownCluster, error) {
	if identity.Given != "" {
		return given(known, identity)
	}
	identity.Sequence = 0 // bundles are imported in any order
	var unsure []*knownCluster
	for i := range known {
		k := &known[i]
		if k.called != called && k.name != called {
			continue
		}
		theirs, named := k.identity, k.identity.Given != ""
		theirs.Sequence, theirs.Given = 0, ""
		switch likeness, _ := theirs.Compare(identity); {
		case likeness == model.Same:
			return k, nil
		case likeness == model.Unsure && called != "" && !named: // what has no name and says nothing else stands alone
			unsure = append(unsure, k)
		}
	}
	switch len(unsure) {
	case 0:
		return nil, nil
	case 1:
		return unsure[0], nil
	}
	e := &AmbiguousError{Called: called}
	for _, k := range unsure {
		e.Clusters = append(e.Clusters, k.name)
	}
	return nil, e
}

// given finds the cluster of a name that somebody gave. A fact that cannot be of two of them holds against him.
func given(known []knownCluster, identity model.Identity) (*knownCluster, error) {
	for i := range known {
		k := &known[i]
		if k.name != identity.Given {
			continue
		}
		theirs := k.identity
		theirs.Given = identity.Given
		if likeness, why := theirs.Compare(identity); likeness == model.Different {
			return nil, &MixedError{Cluster: k.name, Why: why}
		}
		return k, nil
	}
	return nil, nil
}

// findCluster is the cluster that a snapshot is of, which is made where there is none.
func (w *writer) findCluster(snap *model.Snapshot) (name string, err error) {
	known, err := clusters(w.ctx, w.conn)
	if err != nil {
		return "", err
	}
	identity := snap.Identity
	identity.System = snap.System
	k, err := among(known, snap.Cluster, identity)
	if err != nil {
		return "", err
	}
	if k == nil {
		k = &knownCluster{name: newName(known, snap.Cluster, snap.Identity)}
	}
	if k.id == 0 {
		if k.id, err = w.insert(`INSERT INTO cluster (name, called) VALUES (?, ?)`, escape(k.name), escape(snap.Cluster)); err != nil {
			return "", err
		}
	}
	w.cluster = k.id
	return k.name, nil
}

// newName is a name that no cluster of the store has.
func newName(known []knownCluster, called string, identity model.Identity) string {
	if identity.Given != "" {
		return identity.Given
	}
	taken := map[string]bool{}
	for _, k := range known {
		taken[k.name] = true
	}
	name := called
	if name == "" {
		name = "unnamed"
	}
	for n, own := 2, name; ; n++ {
		if !taken[own] {
			return own
		}
		own = fmt.Sprintf("%s#%d", name, n)
	}
}
