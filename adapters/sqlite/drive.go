package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"qprism/engine/model"
)

// BeginDrive stores a new drive and returns its number. A cluster has one open drive at most.
func (s *Store) BeginDrive(ctx context.Context, d *model.Drive) (id int64, err error) {
	err = s.transaction(ctx, toWrite, func(t *tx) {
		if open := t.openDrives(d.Cluster); len(open) > 0 {
			t.fail(fmt.Errorf("cluster %s is driven already, by drive %d", d.Cluster, open[0].ID))
		}
		id = t.nextID(kindDrive)
		drive := *d
		drive.ID, drive.Claims, drive.Begun = id, nil, drive.Begun.Truncate(time.Microsecond)
		setRecord(t, kindDrive, id, &drive)
	})
	return id, err
}

// OpenDrives loads the drives that have not ended, with their claims, the oldest first. If the name is empty,
// it loads the drives of all clusters.
func (s *Store) OpenDrives(ctx context.Context, cluster string) (list []model.Drive, err error) {
	err = s.transaction(ctx, toRead, func(t *tx) { list = t.openDrives(cluster) })
	return list, err
}

// openDrives is OpenDrives within a transaction.
func (t *tx) openDrives(cluster string) []model.Drive {
	return slices.DeleteFunc(t.drivesOf(cluster), func(d model.Drive) bool { return !d.Ended.IsZero() })
}

// drivesOf loads all drives of a cluster, the oldest first. An empty name means all clusters.
func (t *tx) drivesOf(cluster string) (list []model.Drive) {
	for _, r := range records[model.Drive](t, kindDrive) {
		if cluster == "" || r.value.Cluster == cluster {
			list = append(list, *r.value)
		}
	}
	return list
}

// SaveDrive stores new or changed claims of a drive. It stores all of them or none.
func (s *Store) SaveDrive(ctx context.Context, drive int64, claims []model.Claim) error {
	return changeRecord(ctx, s, kindDrive, drive, model.ErrNoDrive, func(d *model.Drive) error {
		for _, k := range claims {
			if i, there := findClaim(d.Claims, k); there {
				d.Claims[i] = k
			} else {
				d.Claims = slices.Insert(d.Claims, i, k)
			}
		}
		return nil
	})
}

// DropClaims deletes claims of a drive that were restored, or whose jobs no longer exist.
func (s *Store) DropClaims(ctx context.Context, drive int64, claims []model.Claim) error {
	return changeRecord(ctx, s, kindDrive, drive, model.ErrNoDrive, func(d *model.Drive) error {
		for _, k := range claims {
			if i, there := findClaim(d.Claims, k); there {
				d.Claims = slices.Delete(d.Claims, i, i+1)
			}
		}
		return nil
	})
}

// findClaim finds the claim of a job's attribute in the claims of a drive. The claims are sorted.
func findClaim(claims []model.Claim, k model.Claim) (i int, there bool) {
	return slices.BinarySearchFunc(claims, k, func(a, b model.Claim) int {
		return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.Attribute, b.Attribute))
	})
}

// EndDrive stores when and how a drive ended.
func (s *Store) EndDrive(ctx context.Context, drive int64, at time.Time, outcome string) error {
	return changeRecord(ctx, s, kindDrive, drive, model.ErrNoDrive, func(d *model.Drive) error {
		d.Ended, d.Outcome = at.Truncate(time.Microsecond), outcome
		return nil
	})
}
