package drive

import (
	"context"
	"fmt"
	"io"

	"qprism/cmd/qprism/show"
)

// showClaims shows the values that --release --apply would restore. It does not ask the cluster. The release
// itself finds values that others changed, and keeps them.
func (v *Driver) showClaims(ctx context.Context, out show.Output) error {
	open, err := v.Journal.OpenDrives(ctx, v.opts.Cluster)
	if err != nil {
		return err
	}
	list := []Claim{}
	t := show.NewSheet("cluster", ">job", "what", "has", "gets back")
	for _, d := range open {
		for _, c := range d.Claims {
			list = append(list, Claim{d.Cluster, c.Job, c.Attribute, c.Becomes, c.Was})
			t.Add(d.Cluster, c.Job, c.Attribute, c.Becomes, c.Was)
		}
	}
	if out.Format == "json" {
		return out.JSON(list)
	}
	out.Terminal = out.Terminal || out.Format == "table"
	if len(open) == 0 {
		return sayNothingDriven(v.warn)
	}
	if err := out.Sheet(t); err != nil || out.Tabular() {
		return err
	}
	out.Say("")
	out.Say("Nothing was sent. With --apply, qprism restores the jobs.")
	return nil
}

func sayNothingDriven(warn io.Writer) error {
	_, err := fmt.Fprintln(warn, "qprism: qprism drive controls no job, so there is nothing to restore")
	return err
}

// A Claim is a value of a driven job, and the value to restore.
type Claim struct {
	Cluster   string `json:"cluster"`
	Job       string `json:"job"`
	Attribute string `json:"attribute"`
	Has       string `json:"has"`
	GetsBack  string `json:"gets_back"`
}
