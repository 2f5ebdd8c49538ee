package view

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/subject"
	"qprism/fixtures/generate"
	"qprism/fixtures/needs"
	"qprism/fixtures/pushed"
	"qprism/importer"
)

var pictureStore = flag.String("view.store", "", "take pictures of this store too: make bin/month.db makes one")

var pictures = flag.String("view.pictures", "", "a folder for pictures of each view, at three widths, dark and light")

// seen are the recordings that a browser is led through: one of each kind, with moments before and after a run.
var seen = []struct {
	name    string
	bundles []string
}{
	{"8.1.9", []string{"gridengine/8.1.9-n1ge-usecase1-sharetree.tar.gz/run1/after",
		"gridengine/8.1.9-n1ge-usecase1-sharetree.tar.gz/run2/after"}},
	{"9.1.4", []string{"gridengine/9.1.4-dispatch-8.tar.gz/run1/before", "gridengine/9.1.4-dispatch-8.tar.gz/run2/after"}},
	{"PBS", []string{"pbs/23.06.06-fairshare-tree-ncpus-walltime.tar.gz/before",
		"pbs/23.06.06-fairshare-tree-ncpus-walltime.tar.gz/after"}},
}

// TestABrowserShowsWhatTheCommandsPrint leads Debian's Chromium through every view of a recording of each kind.
func TestABrowserShowsWhatTheCommandsPrint(t *testing.T) {
	b := newBrowser(t)
	t.Run("hostile names", func(t *testing.T) {
		b.t = t
		b.open([]string{hostile(t)}).showAsText()
		b.quiet()
	})
	for _, recording := range seen {
		t.Run(recording.name, func(t *testing.T) {
			b.t = t
			var bundles []string
			for _, bundle := range recording.bundles {
				bundles = append(bundles, "../../../fixtures/"+bundle)
			}
			p := b.open(bundles)
			p.compareQueue()
			p.compareHealth()
			p.compareJob()
			p.compareShares()
			p.comparePolicy()
			p.look("/plan", ".gantt canvas")
			p.savePNG()
			p.compareHosts()
			p.compareBars()
			p.compareUnknown()
			p.compareDiff()
			p.look("/changes", "#main h2")
			p.look("/moments", "#main table")
			p.look("/cluster", ".figures .figure")
			p.compareMine()
			p.compareTwo()
			p.compareWhatIf()
			p.photograph(recording.name)
			b.quiet()
		})
	}
}

// TestABrowserGoesThroughAStore leads through fifty snapshots of a cluster: by the slider to one of them,
// whose queue is shown then.
func TestABrowserGoesThroughAStore(t *testing.T) {
	b := newBrowser(t)
	d, ids := storeOfFifty(t)
	fillPushes(t, d)
	p := b.at(Stored(d, ""), "--snapshot", ids[len(ids)-1])
	p.compareQueue()
	if said := strings.Join(p.texts("#moment span"), " "); !strings.Contains(said, "50 of 50") {
		t.Errorf("the moment is %q", said)
	}
	for _, place := range []int{0, 20, 48} {
		run(b, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`(() => {
			const slider = document.querySelector("#moment input")
			slider.value = %d
			slider.dispatchEvent(new Event("input"))
			slider.dispatchEvent(new Event("change"))
		})()`, place)))
		p.await(".list .body .row")
		p.named = []string{"--snapshot", ids[place]}
		if at := run(b, chromedp.Evaluate[string]("new URLSearchParams(location.search).get('at')")); at != ids[place] {
			t.Errorf("the slider leads to %s, not to %s", at, ids[place])
		}
		p.compareRows()
	}
	const player = `document.querySelector("#moment button")`
	run(b, chromedp.Evaluate[chromedp.Void](player+".click()")) // from the last moment but one to the last
	run(b, chromedp.Poll[bool](`!new URLSearchParams(location.search).get("at")`))
	run(b, chromedp.Poll[bool](player+`?.getAttribute("aria-pressed") === "false"`))
	p.named = []string{"--snapshot", ids[49]}
	p.await(".list .body .row")
	p.compareRows()
	p.compareCharts()
	p.compareChanges()
	b.quiet()
}

// compareCharts holds what charts say of the last moment, and of that before it, against the timeline and a
// job's history.
func (p *page) compareCharts() {
	p.t.Helper()
	p.look("/", ".uplot canvas")
	ticks := p.list("timeline")
	for back := range 2 {
		tick := ticks[len(ticks)-1-back]
		said := strings.Join(p.texts(".readout"), " | ")
		for _, w := range objects(tick["waiting"]) {
			cause := strings.Replace(fmt.Sprint(w["cause"]), "lower priority", "behind other jobs", 1)
			if want := fmt.Sprintf("%v %v", cause, w["tasks"]); w["tasks"] != 0.0 && !strings.Contains(said, want) {
				p.t.Errorf("%d moments back the charts say %q, timeline %s", back, said, want)
			}
		}
		run(p.browser, chromedp.Evaluate[chromedp.Void](`document.querySelector(".graph").focus()`))
		run(p.browser, chromedp.KeyEvent(kb.ArrowLeft))
	}
	p.named = nil
	for _, id := range p.waiting() {
		moments := objects(p.list("history", id)[0]["moments"])
		rank := moments[len(moments)-1]["rank"]
		if rank == nil || len(moments) < 2 {
			continue // it is held, or new
		}
		p.look("/job/"+id, ".uplot canvas")
		if want := fmt.Sprintf("place %v", rank); !strings.Contains(p.texts(".readout")[0], want) {
			p.t.Errorf("the history says %q, not %s", p.texts(".readout"), want)
		}
		return
	}
	p.t.Error("no job has a history")
}

// list is what a command prints of the store: an array.
func (p *page) list(args ...string) (all []map[string]any) {
	p.t.Helper()
	d := p.deps
	d.Format = "json"
	text, err := answer(p.t.Context(), d, args)
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		p.t.Fatal(args, err)
	}
	return all
}

// storeOfFifty is a store of a cluster that is played forward from a recording, half an hour from one
// snapshot to the next.
func storeOfFifty(t *testing.T) (d *cli.Deps, ids []string) {
	t.Helper()
	recording, closer, err := importer.Open("../../../fixtures/gridengine/8.1.9-share-2.tar.gz/run2/after")
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	e, err := generate.Evolve(recording, 4, 60, 1)
	if err != nil {
		t.Fatal(err)
	}
	d = &cli.Deps{Store: filepath.Join(t.TempDir(), "fifty.db")}
	store, err := sqlite.Open(d.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for range 50 {
		files, err := e.Files()
		if err != nil {
			t.Fatal(err)
		}
		bundle := fstest.MapFS{}
		for name, data := range files {
			bundle[name] = &fstest.MapFile{Data: data}
		}
		s, err := subject.ReadBundle(bundle, false)
		if err != nil {
			t.Fatal(err)
		}
		done, err := store.Import(t.Context(), bundle, "evolved", s)
		if err == nil {
			err = store.SetAnalysis(t.Context(), done.ID, past.Analyze(s))
		}
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, fmt.Sprint(done.ID))
		e.Step(30 * time.Minute)
	}
	return d, ids
}

// fillPushes stores pushes of the first cluster of a store.
func fillPushes(t *testing.T, d *cli.Deps) {
	t.Helper()
	store, err := sqlite.Open(d.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	infos, err := store.Snapshots(t.Context())
	if err == nil {
		_, err = pushed.Fill(t.Context(), store, infos[0].Cluster)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A browser is a Chromium with one tab, and what it complained of.
type browser struct {
	t   testing.TB
	ctx context.Context
	axe string // the script of axe-core

	mu     sync.Mutex
	faults []string
}

func newBrowser(t testing.TB) *browser {
	path := needs.Program(t, "chromium", "the page")
	home := t.TempDir()
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.UserDataDir(home), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("lang", "en-GB"),
		chromedp.Env("TZ=Europe/Berlin", "HOME="+home), chromedp.WSURLReadTimeout(time.Minute)}
	ctx, end := chromedp.NewExecAllocator(t.Context(), slices.Concat(chromedp.DefaultExecAllocatorOptions[:], options)...)
	ctx, closeTab := chromedp.NewContext(ctx)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits for its end
		closeTab()
		end()
	})
	axe, err := os.ReadFile("node_modules/axe-core/axe.min.js")
	if err != nil {
		needs.Lacking(t, fmt.Errorf("there is no axe-core (npm ci --prefix cmd/qprism/view): %w", err))
	}
	b := &browser{t: t, ctx: ctx, axe: string(axe)}
	if err := chromedp.Listen(ctx, b.hear); err != nil {
		t.Fatal(err)
	}
	call(b, log.Enable, cdp.Empty{})
	call(b, runtime.Enable, cdp.Empty{})
	return b
}

func call[P, R any](b *browser, command cdp.Command[P, R], params P) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, command, params); err != nil {
		b.t.Fatal(err)
	}
}

// long is how long a view may take on a busy machine before a test gives up.
const long = time.Minute

// run does something in the browser.
func run[T any](b *browser, action chromedp.Action[T]) T {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, long)
	defer stop()
	value, err := chromedp.Run(ctx, action)
	if err != nil {
		b.t.Fatal(err)
	}
	return value
}

// hear notes errors and warnings of the console, and what scripts throw.
func (b *browser) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.faults = append(b.faults, fmt.Sprintf("%+v", e.ExceptionDetails))
	case *runtime.EventConsoleAPICalled:
		b.faults = append(b.faults, fmt.Sprintf("console: %s %+v", e.Type, *e.Args[0]))
	case *log.EventEntryAdded:
		b.faults = append(b.faults, e.Entry.Text+" "+e.Entry.URL)
	}
}

// quiet fails where the browser complained of anything but questions that have no answer, which the page says itself.
func (b *browser) quiet() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, fault := range b.faults {
		if !strings.Contains(fault, "status of 422") {
			b.t.Error(fault)
		}
	}
	b.faults = nil
}

// A page is the browser at a site of bundles.
type page struct {
	*browser
	deps  cli.Deps
	named []string // the last moment, as a command line names it
	at    string
}

func (b *browser) open(bundles []string) *page {
	b.t.Helper()
	site, err := Bundles(b.t.Context(), &cli.Deps{}, bundles)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.at(site, bundles[len(bundles)-1])
}

// at is a page of a site, whose last moment a command line names so.
func (b *browser) at(site *Site, named ...string) *page {
	server := httptest.NewServer(Guarded(true, site.Handler()))
	b.t.Cleanup(server.Close)
	return &page{b, *site.deps, named, server.URL}
}

// look leads to a view, waits until everything is there, and has axe-core look how accessible it is.
func (p *page) look(path, until string) {
	p.t.Helper()
	run(p.browser, chromedp.Navigate(p.at+path))
	p.await(until)
	p.accessible(path)
}

// accessible fails where axe-core finds anything in what is shown, even if it is minor.
func (p *page) accessible(path string) {
	p.t.Helper()
	run(p.browser, chromedp.Evaluate[chromedp.Void](p.axe))
	result := run(p.browser, chromedp.Evaluate[struct {
		Tried int
		Found []struct {
			ID, Impact, Help string
			Nodes            []string
		}
	}](`axe.run().then(r => ({tried: r.passes.length, found: r.violations
		.map(v => ({id: v.id, impact: v.impact, help: v.help, nodes: v.nodes.slice(0, 3).map(n => n.html)}))}))`, chromedp.EvalAwaitPromise))
	if result.Tried < 10 {
		p.t.Errorf("%s: only %d checks of axe-core had anything to look at", path, result.Tried)
	}
	for _, f := range result.Found {
		p.t.Errorf("%s is not accessible, %s: %s (%s): %s", path, f.Impact, f.Help, f.ID, strings.Join(f.Nodes, " "))
	}
}

// await waits until an element is there, and nothing is waited for any more.
func (p *page) await(selector string) {
	p.t.Helper()
	run(p.browser, chromedp.Poll[bool](
		fmt.Sprintf("!!document.querySelector(%q) && !document.querySelector('[aria-busy]')", selector),
		chromedp.WithPollingTimeout(long)))
}

// texts are those of all elements that a selector finds.
func (p *page) texts(selector string) []string {
	p.t.Helper()
	return run(p.browser, chromedp.Evaluate[[]string](
		fmt.Sprintf("[...document.querySelectorAll(%q)].map(e => e.textContent)", selector)))
}

// says is what the command line prints of the bundle, which it reads itself.
func (p *page) says(args ...string) map[string]any {
	p.t.Helper()
	d := p.deps
	d.Format = "json"
	text, err := answer(p.t.Context(), d, slices.Concat(args, p.named))
	if err != nil {
		p.t.Fatal(args, err)
	}
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		p.t.Fatal(err)
	}
	return m
}

func objects(list any) (all []map[string]any) {
	for _, v := range list.([]any) {
		all = append(all, v.(map[string]any))
	}
	return all
}

func shown(v any) string {
	switch v := v.(type) {
	case float64:
		return strconv.FormatFloat(v, 'g', 6, 64)
	case nil:
		return "–"
	}
	return fmt.Sprint(v)
}

// compareMine holds the jobs of the user whose job comes first against why.
func (p *page) compareMine() {
	p.t.Helper()
	jobs := objects(p.says("priorities")["jobs"])
	owner, of := "user", map[string]bool{} // PBS calls it so
	if jobs[0]["owner"] != nil {
		owner = "owner"
	}
	user := ""
	for _, j := range jobs {
		if _, waits := j["never"]; waits && (user == "" || j[owner] == user) {
			user = j[owner].(string)
			of[shown(j["job"])] = true
		}
	}
	p.look("/mine?user="+user, "#main table")
	ids, places := p.texts("#main tbody td:first-child a"), p.texts("#main tbody td:nth-child(3)")
	seen := 0
	for i, id := range ids {
		if !of[id] {
			continue
		}
		seen++
		place, _ := p.says("why", id)["place"].(map[string]any)
		if want := fmt.Sprintf("%v of %v", place["place"], place["waiting"]); place != nil && places[i] != want {
			p.t.Errorf("job %s has the place %s, why says %s", id, places[i], want)
		}
	}
	if seen != min(len(of), 20) && len(ids) < 20 {
		p.t.Errorf("%d of %d waiting jobs of %s are shown: %q", seen, len(of), user, ids)
	}
	p.look("/why", "#main h1")
	p.look("/why?job="+ids[len(ids)-1], "#verdict")
}

// compareHosts holds what the chart of hosts says of the first job against the plan.
func (p *page) compareHosts() {
	p.t.Helper()
	run(p.browser, chromedp.Evaluate[chromedp.Void](`document.querySelector(".gantt").focus()`))
	run(p.browser, chromedp.KeyEvent(kb.ArrowRight))
	said := p.texts(".gantt + .readout")[0]
	for _, r := range objects(p.says("plan")["gantt"]) {
		for _, i := range objects(r["intervals"]) {
			if strings.HasPrefix(said, fmt.Sprintf("Job %v", i["job"])) && strings.Contains(said, fmt.Sprint(r["object"])) {
				return
			}
		}
	}
	p.t.Errorf("the chart of hosts says %q, which is not in the plan", said)
}

// compareBars holds bars of all hosts, and of one whose free slots lie apart, against each other: none lies on another
// one, and each is as high as its slots.
func (p *page) compareBars() {
	p.t.Helper()
	const script = `(async () => {
		const { blocksByPlace, end, part, stacked } = await import("/assets/bookings.js")
		const apart = { places: [{ total: 4 }], blocks: [[0, 0, 1, "running", 0, 9, 1], [0, 1, 1, "running", 0, 3, 1],
			[0, 2, 1, "running", 0, 9, 1], [0, 3, 1, "predicted", 3, 9, 2], [0, 4, 1, "predicted", 5, null, 3]] }
		const faults = []
		for (const data of [apart, await (await fetch("/api/v1/likely")).json()])
			blocksByPlace(data).forEach((blocks, i) => {
				const pieces = stacked(blocks, data.places[i])
				const rows = blocks.flatMap(b => pieces.get(b).map(([low, amount]) => [b, low, low + amount]))
				for (const b of blocks) {
					const high = pieces.get(b).reduce((sum, [, amount]) => sum + amount, 0)
					if (Math.abs(high - b[part.amount]) > 1e-6) faults.push(b + " is " + high + " high")
				}
				for (const [a, low, top] of rows)
					for (const [b, from, to] of rows)
						if (a !== b && a[part.from] < end(b) && b[part.from] < end(a) && low < to - 1e-6 && from < top - 1e-6)
							faults.push(a + " lies on " + b)
			})
		return faults
	})()`
	if faults := run(p.browser, chromedp.Evaluate[[]string](script, chromedp.EvalAwaitPromise)); len(faults) > 0 {
		p.t.Errorf("%d faults: %q", len(faults), faults[0])
	}
}

// compareUnknown asks about a job that nobody knows: one message says so.
func (p *page) compareUnknown() {
	p.t.Helper()
	p.look("/why?job=987654321", "#answer .failed")
	if n := len(p.texts("#main .failed")); n != 1 || len(p.texts("#answer a")) != 1 || len(p.texts("#main h2")) != 0 {
		p.t.Errorf("%d messages; the page says %q", n, p.texts("#main"))
	}
}

// savePNG saves the first chart of the view as the page does, and looks at what is saved.
func (p *page) savePNG() {
	p.t.Helper()
	kind := run(p.browser, chromedp.Evaluate[string](`new Promise(done => {
		URL.createObjectURL = saved => { done(saved.type + (saved.size > 1000 ? "" : " of " + saved.size + " bytes")); return "#" }
		document.querySelector("button.link").click()
	})`, chromedp.EvalAwaitPromise))
	if kind != "image/png" {
		p.t.Errorf("the picture is saved as %s", kind)
	}
}

// compareChanges opens the first push of a store: its orders are those that the command prints, the
// master's words as text.
func (p *page) compareChanges() {
	p.t.Helper()
	p.named = nil
	p.look("/changes", "#main details")
	p.openPush()
	push := objects(p.says("changes")["pushes"])[1]
	orders := objects(p.says("changes", shown(push["push"]))["orders"])
	cells := p.texts("#main details:last-of-type td")
	for i, o := range orders {
		for k, name := range []string{"job", "attribute", "from", "to", "state"} {
			if at := i*7 + k; at >= len(cells) || cells[at] != o[name] {
				p.t.Errorf("order %d: no %v of %v in %q", i, name, o, cells)
			}
		}
	}
	if n := len(p.texts("#main b")); n > 0 || len(orders) == 0 {
		p.t.Errorf("%d texts of a master are markup; %d orders", n, len(orders))
	}
	p.accessible("/changes with a push open")
	p.photographView("store-changes", "/changes")
}

// compareDiff holds the picture of the first run against the answer: what started is drawn on both sides,
// what passed others is said.
func (p *page) compareDiff() {
	p.t.Helper()
	p.look("/diff", "#main h2")
	type pair struct{ Early, Late, Text string }
	d := run(p.browser, chromedp.Evaluate[struct {
		Runs []struct {
			Order []struct{ Task, Started string }
			Pairs []pair
		}
	}](`fetch("/api/v1/diff").then(a => a.json()).then(d => ({runs: d.runs ?? []}))`, chromedp.EvalAwaitPromise))
	if len(d.Runs) == 0 || len(d.Runs[0].Order) < 2 {
		return
	}
	p.await("svg.bump")
	drawn, said, first := p.texts("svg.bump text"), p.texts("#main details[open] li"), d.Runs[0]
	for i, o := range first.Order {
		left := slices.Index(drawn, o.Task)
		if i < 10 && o.Started != "" && (left < 0 || !slices.Contains(drawn[left+1:], o.Task)) {
			p.t.Errorf("%s started, and is not drawn twice: %q", o.Task, drawn)
		}
	}
	for i, pair := range first.Pairs[:min(len(first.Pairs), 50)] {
		if want := pair.Early + " started before " + pair.Late + ": " + pair.Text; i >= len(said) || said[i] != want {
			p.t.Errorf("%q is not said in %q", want, said)
		}
	}
}

// openPush opens the oldest push of the view.
func (p *page) openPush() {
	p.t.Helper()
	run(p.browser, chromedp.Evaluate[chromedp.Void]("document.querySelector('#main details:last-of-type').open = true"))
	p.await("#main details td")
}

// compareQueue holds the lines of the queue against priorities: the same jobs in the same order with the same prio.
func (p *page) compareQueue() {
	p.t.Helper()
	p.look("/queue", ".list .body .row")
	p.compareRows()
}

// compareRows does so where the queue is shown.
func (p *page) compareRows() {
	p.t.Helper()
	jobs := objects(p.says("priorities")["jobs"])
	head := p.texts(".list .head .cell")
	prio := slices.Index(head, "prio")
	for i, line := range p.rows() {
		want := jobs[i]
		id := shown(want["job"])
		if task, many := want["task"]; many && task != "1" {
			id += "." + shown(task)
		}
		if line[slices.Index(head, "job")] != id {
			p.t.Errorf("line %d shows job %s, priorities lists %s", i, line[slices.Index(head, "job")], id)
		}
		if value, known := want["prio"].(float64); prio >= 0 && known &&
			line[prio] != strconv.FormatFloat(value, 'f', 5, 64) {
			p.t.Errorf("line %d shows prio %s, priorities %v", i, line[prio], want["prio"])
		}
	}
}

// rows are the cells of the lines of the queue that are seen.
func (p *page) rows() [][]string {
	p.t.Helper()
	rows := run(p.browser, chromedp.Evaluate[[][]string](
		`[...document.querySelectorAll(".list .body .row")].map(r => [...r.children].map(c => c.textContent))`))
	if len(rows) == 0 {
		p.t.Error("the queue has no lines")
	}
	return rows
}

// Names that would do something where a page took them for more than text.
const (
	hostileJob     = `"><img src=x onerror="document.title='owned'">`
	hostileProject = `<script>document.title='owned'</script>`
)

// hostile is a recording whose names are hostile, as a folder.
func hostile(t testing.TB) string {
	bundle, closer, err := subject.BundleAt("../../../fixtures/" + seen[0].bundles[1])
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	folder := t.TempDir()
	if err := os.CopyFS(folder, bundle); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(folder + "/*")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // a folder
		}
		job, project := hostileJob, hostileProject
		if bytes.HasPrefix(text, []byte("<?xml")) {
			job, project = html.EscapeString(job), html.EscapeString(project)
		}
		changed := strings.NewReplacer(">p6<", ">"+job+"<", "project1", project).Replace(string(text))
		if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// showAsText leads through all views, where hostile names stand as they are and do nothing.
func (p *page) showAsText() {
	p.t.Helper()
	for path, names := range map[string]bool{"/": true, "/queue": true, "/job/11": true, "/shares": true,
		"/plan": false, "/policy": false,
		"/compare?a=6&b=11": false} {
		p.look(path, "#main h2, #main h1")
		text := strings.Join(p.texts("#main"), "")
		if named := strings.Contains(text, hostileJob) || strings.Contains(text, hostileProject); names && !named {
			p.t.Errorf("%s does not show the names as they are", path)
		}
		if title := p.texts("title")[0]; strings.Contains(title, "owned") ||
			len(p.texts("#main script, #main img[src=x]")) > 0 {
			p.t.Errorf("%s: a name became more than text: %q", path, title)
		}
	}
}

// compareHealth holds the strip against audit and lint.
func (p *page) compareHealth() {
	p.t.Helper()
	strip := strings.Join(p.texts("#health > *"), " | ")
	agree, reported := 0.0, 0.0
	for _, f := range p.says("audit")["fields"].(map[string]any) {
		agree += f.(map[string]any)["agree"].(float64)
		reported += f.(map[string]any)["reported"].(float64)
	}
	if want := fmt.Sprintf("%v of %v numbers agree", agree, reported); reported > 0 && !strings.Contains(strip, want) {
		p.t.Errorf("the strip is %q; audit: %s", strip, want)
	}
	if traps := len(objects(p.says("lint")["traps"])); traps > 0 &&
		!strings.Contains(strip, fmt.Sprintf("%d policy warning", traps)) {
		p.t.Errorf("the strip is %q; lint has %d traps", strip, traps)
	}
}

// waiting are the ids of the jobs that wait.
func (p *page) waiting() (ids []string) {
	for _, j := range objects(p.says("priorities")["jobs"]) {
		if _, waits := j["never"]; waits {
			ids = append(ids, shown(j["job"]))
		}
	}
	return ids
}

// compareJob asks for the last job that waits by the box, as a person does, and holds the answer against
// explain and why.
func (p *page) compareJob() {
	p.t.Helper()
	ids := p.waiting()
	id := ids[len(ids)-1]
	p.look("/", "#main h2")
	run(p.browser, chromedp.Evaluate[chromedp.Void]("document.getElementById('job').focus()"))
	run(p.browser, chromedp.KeyEvent(id+"\r"))
	p.await("#verdict")
	e, why := p.says("explain", id), p.says("why", id)
	answer := strings.Join(p.texts("#answer p"), " | ")
	if want := fmt.Sprintf("Place %v of %v", e["place"], e["waiting"]); e["place"] != 0.0 &&
		!strings.Contains(answer, want) {
		p.t.Errorf("the answer is %q; explain: %s", answer, want)
	}
	if d, waits := why["decision"].(map[string]any); waits && d["verdict"] == "wait" && why["never"] != true {
		if text := objects(d["why"])[0]["text"].(string); !strings.Contains(answer, text) {
			p.t.Errorf("the answer is %q; why: %s", answer, text)
		}
	}
	p.look("/job/"+id, "#verdict")
	criteria := objects(e["criteria"])
	if n := len(p.texts("#main details.top, #main .leaf")); n < len(criteria) {
		p.t.Errorf("%d terms for %d criteria", n, len(criteria))
	}
}

// compareShares holds the table against shares.
func (p *page) compareShares() {
	p.t.Helper()
	p.look("/shares", "#main h2")
	var rows []string
	for _, n := range objects(p.says("shares")["nodes"]) {
		target, name := n["long_target_share"], n["node_name"]
		if name == nil {
			target, name = n["fairshare_perc"], strings.TrimPrefix(n["path"].(string), "TREEROOT")
		}
		if name != "/" && name != "" {
			rows = append(rows, fmt.Sprintf("%s %.1f %%", name, 100*target.(float64)))
		}
	}
	p.compareUsed()
	p.compareTreeMap()
	const tree = "[aria-labelledby=h-usage-in-the-share-tree-decayed] "
	names, targets := p.texts(tree+"tbody td:nth-child(1)"), p.texts(tree+"tbody td:nth-child(4)")
	var seen []string
	for i := range names {
		seen = append(seen, names[i]+" "+targets[i])
	}
	if !slices.Equal(seen, rows) {
		p.t.Errorf("the page shows %q, shares prints %q", seen, rows)
	}
}

// compareTreeMap holds the areas of the tree map against what the leaves used, and the words about
// forgetting against the half-life.
func (p *page) compareTreeMap() {
	p.t.Helper()
	shares := p.says("shares")
	want, all, inner, flat := map[string]float64{}, 0.0, map[string]bool{"": true, "/": true}, true
	for _, n := range objects(shares["nodes"]) {
		path, pbs := n["path"].(string)
		if !pbs {
			path = n["node_name"].(string)
		}
		path = strings.TrimPrefix(path, "TREEROOT")
		if at := strings.LastIndex(path, "/"); at > 0 {
			inner[path[:at]], flat = true, false
		}
		want[path] = n["usage"].(float64)
	}
	for path, usage := range want {
		if inner[path] || usage <= 0 {
			delete(want, path)
		} else {
			all += usage
		}
	}
	areas := run(p.browser, chromedp.Evaluate[[]float64](`[...document.querySelectorAll(".treemap .node")].map(n =>
		parseFloat(n.style.width) * parseFloat(n.style.height) / 1e4)`))
	var used []float64
	for _, usage := range want {
		used = append(used, usage/all)
	}
	slices.Sort(areas)
	slices.Sort(used)
	if len(areas) == 0 && flat {
		used = nil // no pictures: they would repeat the table
	}
	if len(areas) != len(used) {
		p.t.Fatalf("the tree map has %d nodes, %d leaves used something", len(areas), len(used))
	}
	for i := range used {
		if math.Abs(areas[i]-used[i]) > 0.0001 {
			p.t.Errorf("an area is %v, what was used %v", areas[i], used[i])
		}
	}
	for i, d := range objects(shares["decay"]) {
		text, curves := p.texts("[aria-labelledby=h-decay-of-usage] > div > div > p"), len(p.texts("#main .decay"))
		half, forgets := d["half_life"].(float64)
		if all > 0 && (i >= len(text) || !strings.HasPrefix(text[i], shown(d["of"])+": ") ||
			forgets && half > 0 && curves == 0) {
			p.t.Errorf("of %v the page says %q, with %d curves", d, text, curves)
		}
	}
}

// compareUsed holds what everybody got against shares --since.
func (p *page) compareUsed() {
	p.t.Helper()
	var want []string
	rows := objects(p.says("shares", "--since", "30d")["rows"])
	owed := func(r map[string]any) float64 {
		if n, known := r["owed_slot_hours"].(float64); known {
			return n
		}
		return math.Inf(-1)
	}
	slices.SortStableFunc(rows, func(a, b map[string]any) int { return cmp.Compare(owed(b), owed(a)) })
	for _, r := range rows {
		if got, known := r["got"].(float64); known {
			want = append(want, fmt.Sprintf("%.1f %%", 100*got))
		} else {
			want = append(want, shown(nil))
		}
	}
	if has := p.texts("#main > .card:first-child tbody td:nth-child(4)"); !slices.Equal(has, want) {
		p.t.Errorf("the page has %v, shares --since %v", has, want)
	}
}

// comparePolicy counts traps.
func (p *page) comparePolicy() {
	p.t.Helper()
	p.look("/policy", "#main h2")
	if n, want := len(p.texts(".trap")), len(objects(p.says("lint")["traps"])); n != want {
		p.t.Errorf("%d traps, lint has %d", n, want)
	}
}

// compareTwo sets the first two jobs that wait side by side.
func (p *page) compareTwo() {
	p.t.Helper()
	ids := p.waiting()
	if ids = slices.Compact(ids); len(ids) < 2 {
		return
	}
	p.look(fmt.Sprintf("/compare?a=%s&b=%s", ids[0], ids[1]), "#main table")
	if n, want := len(p.texts("#main tbody tr")), len(objects(p.says("compare", ids[0], ids[1])["terms"])); n != want {
		p.t.Errorf("%d terms, compare has %d", n, want)
	}
}

// slide moves the slider of weight_urgency to 0.
func (p *page) slide() {
	p.t.Helper()
	run(p.browser, chromedp.Evaluate[chromedp.Void](`(() => {
		const input = document.querySelector(".knobs input[aria-label=weight_urgency]")
		input.value = 0
		input.dispatchEvent(new Event("input"))
	})()`))
	p.await("#changed h3")
}

// compareWhatIf moves a slider, and holds the order that is shown against what-if.
func (p *page) compareWhatIf() {
	p.t.Helper()
	p.look("/what-if", "#main h2")
	sliders := p.texts(".knobs label span")
	if len(sliders) == 0 {
		return // of PBS
	}
	p.slide()
	run(p.browser, chromedp.Evaluate[chromedp.Void](`document.querySelector("#changed button")?.click()`))
	shown := p.texts("#changed table:last-of-type tbody td:nth-child(2)")
	jobs := objects(p.says("what-if", "--no-forecast", "--set", "weight_urgency=0")["jobs"])
	then := func(j map[string]any) float64 { return j["place"].([]any)[1].(float64) }
	slices.SortFunc(jobs, func(a, b map[string]any) int { return int(then(a) - then(b)) })
	var want []string
	for _, j := range jobs {
		want = append(want, fmt.Sprint(j["job"]))
	}
	if n := len(shown) - len(want); n < 0 || !slices.Equal(shown[n:], want) {
		p.t.Errorf("the page orders %v, what-if %v", shown, want)
	}
}

// TestABrowserPhotographsAStore takes pictures of a store that somebody wants to look at.
func TestABrowserPhotographsAStore(t *testing.T) {
	if *pictures == "" || *pictureStore == "" {
		t.Skip("no store is to be looked at: -view.store")
	}
	b := newBrowser(t)
	p := b.at(Stored(&cli.Deps{Store: *pictureStore}, ""))
	list, err := Stored(&cli.Deps{Store: *pictureStore}, "").Clusters(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p.named = []string{"--snapshot", list[0].Moments[len(list[0].Moments)-1].ID}
	p.photograph("store")
	b.quiet()
}

// photograph takes pictures of all views, for people to look at.
func (p *page) photograph(name string) {
	ids := p.waiting()
	for view, path := range map[string]string{"overview": "/?job=" + ids[len(ids)-1], "queue": "/queue",
		"job":    "/job/" + ids[0],
		"shares": "/shares", "plan": "/plan", "policy": "/policy", "diff": "/diff", "what-if": "/what-if",
		"compare": "/compare?a=" + ids[0] + "&b=" + ids[len(ids)-1]} {
		p.photographView(name+"-"+view, path)
	}
}

// photographView takes pictures of a view where somebody wants to look at them: at three widths, light and dark.
func (p *page) photographView(name, path string) {
	if *pictures == "" {
		return
	}
	for _, width := range []int64{1440, 800, 390} {
		for _, scheme := range []string{"light", "dark"} {
			run(p.browser, chromedp.EmulateViewport(width, 900))
			call(p.browser, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
			p.look(path, "#main h2, #main h1")
			if len(p.texts(".knobs")) > 0 {
				p.slide()
			}
			if path == "/changes" {
				p.openPush()
			}
			run(p.browser, chromedp.Evaluate[bool](
				`Promise.all([...document.images].map(i => { i.loading = "eager"; return i.decode().catch(() => {}) })).then(() => true)`,
				chromedp.EvalAwaitPromise))
			picture := run(p.browser, chromedp.FullScreenshot(100))
			file := fmt.Sprintf("%s-%d-%s.png", name, width, scheme)
			if err := os.WriteFile(filepath.Join(*pictures, file), picture, 0o644); err != nil {
				p.t.Fatal(err)
			}
		}
	}
}

// photographActs takes a picture of what is shown, without loading it again.
func (p *page) photographActs(name string) {
	if *pictures == "" {
		return
	}
	run(p.browser, chromedp.EmulateViewport(1440, 900))
	if err := os.WriteFile(filepath.Join(*pictures, name+".png"), run(p.browser, chromedp.FullScreenshot(100)),
		0o644); err != nil {
		p.t.Fatal(err)
	}
}
