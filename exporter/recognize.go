package exporter

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"qprism/engine/model"
)

// Recognize asks for the identity of the cluster. It refuses orders if the cluster is another one, or may be.
// Without Identify, as in some tests, it does nothing.
func (c *Controller) Recognize(ctx context.Context, cluster string, meant model.Identity) error {
	if c.Identify == nil {
		return nil
	}
	now, err := c.Identify(ctx)
	if err != nil {
		return err
	}
	likeness, why := CompareClusters(cluster, meant, now)
	if likeness == model.Unsure && c.Witness != nil && meant.Host != "" && now.System != model.GridEngine {
		var seen string
		if likeness, seen, err = c.Witness(ctx); err != nil {
			return err
		}
		why += ", and " + seen
	}
	switch likeness {
	case model.Different:
		return refuse("this is another cluster. The changes are for %s. The commands here%s reach another cluster: "+
			"%s", nameOf(cluster), reachedBy(now), why)
	case model.Unsure:
		return refuse("it is not certain that the commands here%s reach %s: %s. Capture and import "+
			"again. Or give the cluster a name (import --cluster NAME; cluster: NAME for serve) and use --cluster NAME",
			reachedBy(now), nameOf(cluster), why)
	}
	return nil
}

// CompareClusters compares the cluster of the orders with the cluster that answers. Old orders have no
// identity, only the name of a cluster; then the user must confirm the cluster.
func CompareClusters(cluster string, meant, now model.Identity) (model.Likeness, string) {
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

// witness lets jobs decide whether this is the right server. From another host, two PBS servers of the same
// name give the same answers about themselves. But each of their jobs has an owner and the second of its
// submission.
func (p *Pusher) witness(orders []model.Order) {
	jobs := map[string]string{}
	if p.Planned != nil {
		jobs = WhoseJobs(p.Planned)
	}
	for _, o := range orders {
		jobs[o.Job], jobs[o.With] = o.Whose, o.WithWhose
	}
	// without a time, the job could belong to any cluster
	maps.DeleteFunc(jobs, func(job, whose string) bool { return job == "" || !strings.Contains(whose, " ") })
	p.Witness = func(ctx context.Context) (model.Likeness, string, error) {
		if len(jobs) == 0 {
			return model.Unsure, "it has no known job", nil
		}
		now, err := p.System.Whose(ctx, p.Runner, slices.Sorted(maps.Keys(jobs)))
		if err != nil {
			return model.Unsure, "", err
		}
		likeness, words := sameJobs(jobs, now)
		return likeness, words, nil
	}
}

// sameJobs compares the jobs that are in both listings. If one differs, the server may have used its number
// again.
func sameJobs(meant, now map[string]string) (model.Likeness, string) {
	same := 0
	for _, job := range slices.Sorted(maps.Keys(meant)) {
		if is, there := now[job]; there && is == meant[job] {
			same++
		} else if there {
			return model.Unsure, OtherJob(job, meant[job], now)
		}
	}
	if same == 0 {
		return model.Unsure, fmt.Sprintf("none of its %d known jobs exists any more", len(meant))
	}
	return model.Same, fmt.Sprintf("%d of its known jobs match", same)
}
