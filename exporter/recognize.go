package exporter

import (
	"context"

	"qprism/engine/model"
)

// Recognize asks the cluster that is reached who it is, and refuses what is for another one, or for one that cannot be told from others. Nothing is asked
// where a controller has no way to ask, as in tests of what is behind it.
func (c *Controller) Recognize(ctx context.Context, cluster string, meant model.Identity) error {
	if c.Identify == nil {
		return nil
	}
	now, err := c.Identify(ctx)
	if err != nil {
		return err
	}
	switch likeness, why := Liken(cluster, meant, now); likeness {
	case model.Different:
		return refuse("the cluster that is reached%s is not %s: %s", reachedBy(now), nameOf(cluster), why)
	case model.Unsure:
		return refuse("whether the cluster that is reached%s is %s cannot be told: %s; capture and import it anew, or give it a name of yours "+
			"(import --cluster NAME, cluster: NAME in serve's file) and name it with --cluster NAME", reachedBy(now), nameOf(cluster), why)
	}
	return nil
}

// Liken compares the cluster that orders are for with the one that is reached. Orders of a release that kept no identity are for the one of their name, where
// somebody says that it is the one that is reached.
func Liken(cluster string, meant, now model.Identity) (model.Likeness, string) {
	if !meant.Known() && now.Given == cluster {
		meant.Given = cluster
	}
	return meant.Compare(now)
}

func reachedBy(i model.Identity) string {
	if i.Via == "" {
		return ""
	}
	return " (" + i.Via + ")"
}
