package sqlite

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"qprism/engine/model"
)

// Each cluster has its own name in the store. Two clusters may have the same name in their bundles. Then the
// second one is "NAME#2" in the store. The identity in a bundle shows which of them it belongs to. A bundle
// without an identity belongs to the only cluster with its name.

// An ambiguousError means that several clusters of the store may own a bundle or connection.
type ambiguousError struct {
	Called   string
	Clusters []string // with this name
}

func (e *ambiguousError) Error() string {
	return fmt.Sprintf("%d clusters are called %s (%s), and what tells them apart is not known of this "+
		"one; say which it is with --cluster NAME",
		len(e.Clusters), e.Called, strings.Join(e.Clusters, ", "))
}

// A mixedError means that a bundle belongs to another cluster than the named one.
type mixedError struct{ Cluster, Why string }

func (e *mixedError) Error() string {
	return fmt.Sprintf("it is not of cluster %s: %s; give it another --cluster NAME", e.Cluster, e.Why)
}

// A knownCluster is a cluster of the store. It has the identity of its newest snapshot with the most facts.
type knownCluster struct {
	name, called string
	identity     model.Identity
}

// NameOf returns the store's name for the cluster with this name and identity. For a new cluster it returns the
// name that the store would give.
func (s *Store) NameOf(ctx context.Context, called string, identity model.Identity) (name string, err error) {
	err = s.transaction(ctx, toRead, func(t *tx) {
		known := t.clusters()
		k, err := among(known, called, identity)
		t.fail(err)
		if name = newName(known, called, identity); k != nil {
			name = k.name
		}
	})
	if err != nil {
		return "", fmt.Errorf("store %s: %w", s.path, err)
	}
	return name, nil
}

// clusters lists all clusters of the store. If the store has only a push or a drive of a cluster, the cluster
// has its name without a number.
func (t *tx) clusters() []knownCluster {
	list := t.catalog.clusters(t)
	seen := map[string]bool{}
	for _, k := range list {
		seen[k.name] = true
	}
	var ordered []knownCluster
	add := func(k knownCluster) {
		if !seen[k.name] && !slices.Contains(ordered, k) {
			ordered = append(ordered, k)
		}
	}
	for _, k := range t.catalog.pushes(t) {
		add(k)
	}
	for _, d := range records[model.Drive](t, kindDrive) {
		add(changed(d.value.Cluster, d.value.Identity))
	}
	return append(list, ordered...)
}

// changed is the cluster of a push or a drive: without a snapshot, its name in bundles is that in the store without the number.
func changed(name string, identity model.Identity) knownCluster {
	return knownCluster{name, numbered.ReplaceAllString(name, ""), identity}
}

var numbered = regexp.MustCompile(`#[0-9].*$`)

// imported are the clusters of snapshots, in the order of their first snapshots.
type imported struct {
	list []knownCluster
	best map[string]identified // by the name of the cluster
}

// identified is the newest snapshot of a cluster that distinguishes it best, and the place of the cluster in the list.
type identified struct {
	place    int
	identity model.Identity
}

// add adds a snapshot, in the order of the ids.
func (c *imported) add(i storedInfo) {
	if c.best == nil {
		c.best = map[string]identified{}
	}
	best, there := c.best[i.Cluster]
	if !there {
		best.place = len(c.list)
		c.list = append(c.list, knownCluster{name: i.Cluster, called: i.Called})
	}
	if !there || identifiesAsWell(i.Identity, best.identity) {
		best.identity, c.list[best.place].identity = i.Identity, identityOf(i)
		c.best[i.Cluster] = best
	}
}

// identifiesAsWell reports whether an identity distinguishes clusters as well as another one.
func identifiesAsWell(i, other model.Identity) bool {
	if (i.Root != "") != (other.Root != "") {
		return i.Root != ""
	}
	return i != (model.Identity{}) || other == (model.Identity{})
}

// identityOf returns the facts about its cluster that a snapshot has: at least the system.
func identityOf(i storedInfo) model.Identity {
	identity, system := i.Identity, model.System(i.Release.Product)
	if identity == (model.Identity{}) && (system == model.PBSSystem || system == model.Torque) {
		identity.System = system
	}
	return identity
}

// among finds the cluster with a name (in bundles or in the store) and an identity. It is nil if there is none.
func among(known []knownCluster, called string, identity model.Identity) (*knownCluster, error) {
	if identity.Given != "" {
		return given(known, identity)
	}
	identity.Sequence = 0 // users may import bundles in any order
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
		case likeness == model.Unsure && called != "" && !named: // without name or facts it is separate
			unsure = append(unsure, k)
		}
	}
	switch len(unsure) {
	case 0:
		return nil, nil
	case 1:
		return unsure[0], nil
	}
	e := &ambiguousError{Called: called}
	for _, k := range unsure {
		e.Clusters = append(e.Clusters, k.name)
	}
	return nil, e
}

// given finds the cluster of a name that a user gave. If a fact contradicts the name, it returns an error.
func given(known []knownCluster, identity model.Identity) (*knownCluster, error) {
	for i := range known {
		k := &known[i]
		if k.name != identity.Given {
			continue
		}
		theirs := k.identity
		theirs.Given = identity.Given
		if likeness, why := theirs.Compare(identity); likeness == model.Different {
			return nil, &mixedError{Cluster: k.name, Why: why}
		}
		return k, nil
	}
	return nil, nil
}

// nameOf returns the store's name for the cluster of a snapshot, and the cluster's name in its bundles.
func nameOf(known []knownCluster, snap *model.Snapshot) (name, called string, err error) {
	identity := snap.Identity
	identity.System = snap.System
	k, err := among(known, snap.Cluster, identity)
	if err != nil {
		return "", "", err
	}
	if k == nil {
		return newName(known, snap.Cluster, snap.Identity), snap.Cluster, nil
	}
	return k.name, k.called, nil
}

// newName returns a name that no cluster of the store has.
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
