package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"qprism/engine/model"
)

// In the store each cluster has a name of its own. Bundles may call two clusters the same: then the second
// one is "NAME#2". Which of them a bundle is of is known by what it says of its cluster's identity; one
// that says nothing is of the only cluster that is called so.

// An ambiguousError means that the cluster of a bundle or connection is not known.
type ambiguousError struct {
	Called   string
	Clusters []string // with this name
}

func (e *ambiguousError) Error() string {
	return fmt.Sprintf("%d clusters are called %s (%s), and what tells them apart is not known of this "+
		"one; say which it is with --cluster NAME",
		len(e.Clusters), e.Called, strings.Join(e.Clusters, ", "))
}

// A mixedError means that a bundle is of another cluster than named.
type mixedError struct{ Cluster, Why string }

func (e *mixedError) Error() string {
	return fmt.Sprintf("it is not of cluster %s: %s; give it another --cluster NAME", e.Cluster, e.Why)
}

// A knownCluster is a cluster of the store, with the identity of its newest snapshot that says most.
type knownCluster struct {
	name, called string
	identity     model.Identity
}

// NameOf returns the store's name for the cluster with this name and identity. For a new cluster it returns the
// name that the store would give.
func (s *Store) NameOf(ctx context.Context, called string, identity model.Identity) (name string, err error) {
	err = s.transaction(ctx, toRead, func(t *tx) {
		known := t.clusters(s.catalog.all(t))
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

// clusters are all of the store. One of which it has a push or a drive and no snapshot is called by its name without a
// number.
func (t *tx) clusters(snapshots []storedInfo) []knownCluster {
	list := imported(snapshots)
	seen := map[string]bool{}
	for _, k := range list {
		seen[k.name] = true
	}
	var ordered []knownCluster
	add := func(name string, identity model.Identity) {
		k := knownCluster{name, numbered.ReplaceAllString(name, ""), identity}
		if !seen[name] && !slices.Contains(ordered, k) {
			ordered = append(ordered, k)
		}
	}
	for _, p := range records[model.Push](t, kindPush) {
		add(p.value.Cluster, p.value.Identity)
	}
	for _, d := range records[model.Drive](t, kindDrive) {
		add(d.value.Cluster, d.value.Identity)
	}
	return append(list, ordered...)
}

var numbered = regexp.MustCompile(`#[0-9].*$`)

// imported are the clusters of snapshots, in the order of their first ones.
func imported(snapshots []storedInfo) (list []knownCluster) {
	byID := slices.SortedFunc(slices.Values(snapshots), func(a, b storedInfo) int { return cmp.Compare(a.ID, b.ID) })
	index, best := map[string]int{}, map[string]storedInfo{}
	for _, i := range byID {
		k, there := index[i.Cluster]
		if !there {
			k = len(list)
			index[i.Cluster] = k
			list = append(list, knownCluster{name: i.Cluster, called: i.Called})
		}
		if !there || identifiesAsWell(i.Identity, best[i.Cluster].Identity) {
			best[i.Cluster], list[k].identity = i, identityOf(i)
		}
	}
	return list
}

// identifiesAsWell reports whether an identity tells clusters apart as well as another one.
func identifiesAsWell(i, other model.Identity) bool {
	if (i.Root != "") != (other.Root != "") {
		return i.Root != ""
	}
	return i.Text() != "" || other.Text() == ""
}

// identityOf is what a snapshot says of its cluster: its system at least.
func identityOf(i storedInfo) model.Identity {
	identity, system := i.Identity, model.System(i.Release.Product)
	if identity.Text() == "" && (system == model.PBSSystem || system == model.Torque) {
		identity.System = system
	}
	return identity
}

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
	e := &ambiguousError{Called: called}
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
			return nil, &mixedError{Cluster: k.name, Why: why}
		}
		return k, nil
	}
	return nil, nil
}

// nameOf is the name of the cluster that a snapshot is of, and what its bundles call it.
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
