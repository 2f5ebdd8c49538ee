package past

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
)

// mostChanges is how many pushes are listed unless all are asked for.
const mostChanges = 50

type changesOptions struct {
	cluster string
	all     bool
}

func newChanges(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "changes [PUSH]", runChanges)
	c.Args = cobra.MaximumNArgs(1)
	c.Flags().StringVar(&opts.cluster, "cluster", "",
		"only this `cluster`, by its name in the store or in the configuration of serve")
	c.Flags().BoolVar(&opts.all, "all", false, fmt.Sprintf("list all pushes, not only the newest %d", mostChanges))
	return c
}

func runChanges(ctx context.Context, d *cli.Deps, opts changesOptions, args []string, w io.Writer) error {
	store, err := subject.OpenStore(d)
	if errors.Is(err, cli.ErrNoBundle) {
		return fmt.Errorf("there is no store %s, so no push is recorded; --store names another store", d.Store)
	}
	if err != nil {
		return err
	}
	defer store.Close()
	if len(args) == 0 {
		return listChanges(ctx, d, store, opts, w)
	}
	id, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		return fmt.Errorf("%q is not the number of a push; \"qprism changes\" lists the pushes", args[0])
	}
	return showChange(ctx, d, store, opts.cluster, id, w)
}

// jsonChanges is what was changed, and what is held.
type jsonChanges struct {
	Pushes []jsonPushed `json:"pushes"` // the newest first
	Older  int          `json:"older"`  // pushes that are left out
	Drives []jsonHeld   `json:"drives"` // those that hold something
}

// jsonPushed is a push: its orders by their state.
type jsonPushed struct {
	Push     int64          `json:"push"`
	Cluster  string         `json:"cluster"`
	Kind     string         `json:"kind"`
	By       string         `json:"by"`
	Begun    time.Time      `json:"begun"`
	Ended    time.Time      `json:"ended"` // null while it is not finished
	Undoes   int64          `json:"undoes,omitempty"`
	UndoneBy int64          `json:"undone_by,omitempty"`
	States   map[string]int `json:"states"`
	Outcome  string         `json:"outcome"`
}

// jsonPushedOrders is one push with its orders.
type jsonPushedOrders struct {
	jsonPushed
	Wanted []string    `json:"wanted"` // job ids in the wanted order
	Orders []JSONOrder `json:"orders"`
}

// A JSONOrder is an order in JSON.
type JSONOrder struct {
	Job       string `json:"job"`
	Attribute string `json:"attribute"`
	From      string `json:"from"`
	To        string `json:"to"`
	Why       string `json:"why,omitempty"`
	State     string `json:"state"`
	Words     string `json:"words,omitempty"`
}

func OrdersJSON(orders []model.Order) []JSONOrder {
	list := make([]JSONOrder, len(orders))
	for i, o := range orders {
		list[i] = JSONOrder{o.Job, o.Attribute, o.From, o.To, o.Why, string(o.State), o.Words}
	}
	return list
}

// claimJSON is what a drive changed, in JSON.
func claimJSON(c model.Claim) JSONOrder {
	return JSONOrder{Job: c.Job, Attribute: c.Attribute, From: c.Was, To: c.Becomes, State: string(c.State),
		Words: c.Words}
}

// ClaimsBack returns the orders that restore claims, except values that others changed.
func ClaimsBack(claims []model.Claim) []JSONOrder {
	list := []JSONOrder{}
	for _, c := range claims {
		if !strings.HasPrefix(c.Attribute, "left ") {
			is := c.Becomes[strings.LastIndexByte(c.Becomes, '\n')+1:]
			list = append(list, JSONOrder{Job: c.Job, Attribute: c.Attribute, From: is, To: c.Was,
				State: string(model.OrderPlanned)})
		}
	}
	return list
}

// jsonHeld is a drive with what is not back.
type jsonHeld struct {
	Drive   int64       `json:"drive"`
	Cluster string      `json:"cluster"`
	By      string      `json:"by"`
	Owns    string      `json:"owns"` // the jobs that it controls
	Begun   time.Time   `json:"begun"`
	Claims  []JSONOrder `json:"claims"` // its changes, and how to undo them
}

func listChanges(ctx context.Context, d *cli.Deps, store *sqlite.Store, opts changesOptions, w io.Writer) error {
	list, err := changesOf(ctx, store, opts)
	if err != nil {
		return err
	}
	out := d.Output(w)
	if d.Format == "json" {
		return out.JSON(list)
	}
	t := show.NewSheet(">push", "cluster", "begun", "by", "what", "changes", "outcome")
	for i := range list.Pushes {
		p := &list.Pushes[i]
		t.Add(fmt.Sprint(p.Push), p.Cluster, out.Moment(p.Begun), p.By, p.what(), p.states(), p.outcome())
	}
	if len(list.Pushes) == 0 {
		out.Say("Nothing was pushed.")
	}
	if len(list.Pushes) > 0 || out.Tabular() {
		out.Sheet(t)
	}
	if list.Older > 0 {
		out.Say("%d older pushes are not listed; --all lists them.", list.Older)
	}
	showHeld(out, list.Drives)
	if len(list.Pushes) > 0 {
		out.Say("")
		newest := fmt.Sprint(list.Pushes[0].Push)
		out.Say("Next: %s", show.Step("list the changes of push "+newest, d.Hints("").Command("changes", newest)))
	}
	return nil
}

// showHeld lists the values that drives hold, for people.
func showHeld(out show.Output, drives []jsonHeld) {
	for i := range drives {
		h := &drives[i]
		out.Say("")
		out.Say("Drive %d of %s by %s, since %s, controls %s.", h.Drive, show.Printable(h.Cluster),
			show.Printable(h.By), out.Moment(h.Begun), show.Printable(h.Owns))
		t := show.NewSheet("job", "holds", "before", "now", "state", "answer of the master")
		for _, c := range h.Claims {
			t.Add(c.Job, c.Attribute, c.From, c.To, c.State, c.Words)
		}
		if len(t.Rows) == 0 {
			out.Say("It controls no jobs.")
		} else if !out.Tabular() {
			out.Sheet(t)
		}
	}
}

// changesOf returns the pushes of the store, the newest first, and the drives with claims.
func changesOf(ctx context.Context, store *sqlite.Store, opts changesOptions) (*jsonChanges, error) {
	cluster, err := clusterOfPushes(ctx, store, opts.cluster)
	pushes, e := store.Pushes(ctx, cluster)
	if e != nil {
		return nil, e
	}
	drives, e := store.OpenDrives(ctx, cluster)
	if e != nil {
		return nil, e
	}
	if err != nil && len(pushes)+len(drives) == 0 {
		return nil, err
	}
	list := &jsonChanges{Pushes: []jsonPushed{}, Drives: []jsonHeld{}}
	undone := undoneBy(pushes)
	slices.Reverse(pushes)
	if len(pushes) > mostChanges && !opts.all {
		list.Older = len(pushes) - mostChanges
		pushes = pushes[:mostChanges]
	}
	for i := range pushes {
		p, err := store.Push(ctx, pushes[i].ID)
		if err != nil {
			return nil, err
		}
		list.Pushes = append(list.Pushes, changeOf(p, undone[p.ID]))
	}
	for i := range drives {
		list.Drives = append(list.Drives, heldBy(&drives[i]))
	}
	return list, nil
}

// clusterOfPushes returns the cluster with a name. If no snapshot belongs to it, the name itself may have
// pushes; why says so.
func clusterOfPushes(ctx context.Context, store *sqlite.Store, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	cluster, err := subject.ClusterOf(ctx, store, name)
	return cmp.Or(cluster, name), err
}

// undoneBy maps each push that was taken back to the push that did.
func undoneBy(pushes []model.Push) map[int64]int64 {
	by := map[int64]int64{}
	for i := range pushes {
		if p := &pushes[i]; p.Undoes != 0 {
			by[p.Undoes] = p.ID
		}
	}
	return by
}

func changeOf(p *model.Push, undoneBy int64) jsonPushed {
	c := jsonPushed{Push: p.ID, Cluster: p.Cluster, Kind: p.Kind, By: p.By, Begun: p.Begun,
		Undoes: p.Undoes, UndoneBy: undoneBy,
		States: map[string]int{}, Outcome: p.Outcome, Ended: p.Ended}
	for _, o := range p.Orders {
		c.States[string(o.State)]++
	}
	return c
}

func heldBy(d *model.Drive) jsonHeld {
	h := jsonHeld{Drive: d.ID, Cluster: d.Cluster, By: d.By, Owns: d.Owns, Begun: d.Begun, Claims: []JSONOrder{}}
	for _, c := range d.Claims {
		h.Claims = append(h.Claims, claimJSON(c))
	}
	return h
}

// what describes a push in a few words.
func (c *jsonPushed) what() string {
	if c.Undoes != 0 {
		return fmt.Sprintf("%s, takes push %d back", c.Kind, c.Undoes)
	}
	return c.Kind
}

// states are the orders of a push by their state: "12 confirmed, 1 refused".
func (c *jsonPushed) states() string {
	var parts []string
	for _, state := range slices.Sorted(maps.Keys(c.States)) {
		parts = append(parts, fmt.Sprintf("%d %s", c.States[state], state))
	}
	return strings.Join(parts, ", ")
}

// outcome is how a push ended.
func (c *jsonPushed) outcome() string {
	switch {
	case c.Ended.IsZero():
		return "not finished"
	case c.UndoneBy != 0:
		return fmt.Sprintf("taken back by push %d", c.UndoneBy)
	}
	return c.Outcome
}

func showChange(ctx context.Context, d *cli.Deps, store *sqlite.Store, of string, id int64, w io.Writer) error {
	p, err := store.Push(ctx, id)
	if err != nil {
		return fmt.Errorf("%w: %d; \"qprism changes\" lists them", err, id)
	}
	if cluster, _ := clusterOfPushes(ctx, store, of); cluster != "" && p.Cluster != cluster {
		return fmt.Errorf("push %d is of cluster %s", id, show.Printable(p.Cluster))
	}
	pushes, err := store.Pushes(ctx, p.Cluster)
	if err != nil {
		return err
	}
	c := changeOf(p, undoneBy(pushes)[id])
	out := d.Output(w)
	if d.Format == "json" {
		return out.JSON(jsonPushedOrders{c, append([]string{}, p.Wanted...), OrdersJSON(p.Orders)})
	}
	out.Say("Push %d of %s by %s, %s, started %s: %s", id, show.Printable(p.Cluster), show.Printable(p.By),
		c.what(), out.Moment(p.Begun), show.Printable(c.outcome()))
	out.Say("")
	t := show.NewSheet(">job", "sets", ">before", ">ordered", "state", "answer of the master", "why")
	for _, o := range p.Orders {
		t.Add(o.Job, o.Attribute, o.From, o.To, string(o.State), o.Words, o.Why)
	}
	out.Sheet(t)
	switch h := d.Hints(""); {
	case p.Open():
		out.Say("")
		out.Say("Next: %s", show.Step("finish this push; --from names the host",
			h.Command("push", "--resume", "--push", fmt.Sprint(id))))
	case c.UndoneBy == 0 && p.Undoes == 0:
		out.Say("")
		out.Say("Next: %s", show.Step("take this push back; --from names the host",
			h.Command("push", "--undo", "--push", fmt.Sprint(id))))
	}
	return nil
}
