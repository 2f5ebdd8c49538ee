package gridengine_test

import (
	"encoding/xml"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/importer/gridengine/expect"
	"qprism/importer/gridengine/sample"
)

// The tests of this file read recorded bundles a second time, slowly and obviously: with encoding/xml, everything in
// memory, task by task. QPRISM_RECORDINGS may name a folder with more of them.

func TestASnapshotSaysWhatTheXMLSays(t *testing.T) {
	var tasks, requests, granted, detailed, instances, hosts int
	for _, path := range recordings(t) {
		bundle, snap := sample.Open(t, path)
		n := naive{T: t, path: path, bundle: bundle, snap: snap}
		tasks += n.checkQstat()
		requests += n.requests
		detailed += n.checkQstatJ()
		g, i := n.checkQstatF()
		granted += g
		instances += i
		hosts += n.checkQhost()
		for _, u := range snap.Unknown {
			t.Errorf("%s: unknown %+v", path, u)
		}
	}
	t.Logf("agree: %d tasks, %d requests, %d jobs of qstat -j, %d parallel tasks' queue instances, %d "+
		"queue instances, %d hosts",
		tasks, requests, detailed, granted, instances, hosts)
	if min(tasks, requests, granted, detailed, instances, hosts) == 0 {
		t.Error("something was not compared at all")
	}
}

func TestTheTextForPeopleAgreesWithTheXML(t *testing.T) {
	values := 0
	for _, path := range recordings(t) {
		bundle, snap := sample.Open(t, path)
		for file, columns := range map[string][]string{
			"qstat-pri.txt": {"nurg", "npprior", "ntckts", "ppri"},
			"qstat-urg.txt": {"nurg", "urg", "rrcontr", "wtcontr", "dlcontr"},
			"qstat-ext.txt": {"ntckts"},
		} {
			values += compareText(t, path, bundle, snap, file, columns)
		}
	}
	t.Logf("agree: %d values", values)
	if values == 0 {
		t.Error("nothing was compared")
	}
}

// recordings are the paths of bundles.
func recordings(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	for i, path := range paths {
		if strings.HasSuffix(path, "forms.tar.gz") {
			paths[i] = path + "/bundle"
		}
	}
	if more := os.Getenv("QPRISM_RECORDINGS"); more != "" {
		err := filepath.WalkDir(more, func(path string, entry fs.DirEntry, err error) error {
			if entry.Name() == "qstat.xml" {
				paths = append(paths, filepath.Dir(path))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// A tag is an element with all that is in it.
type tag struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Text    string     `xml:",chardata"`
	Tags    []tag      `xml:",any"`
}

func (e tag) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// in are the elements at the end of a path of names below an element; "*" is any name.
func (e tag) in(path ...string) (found []tag) {
	if len(path) == 0 {
		return []tag{e}
	}
	for _, c := range e.Tags {
		if c.XMLName.Local == path[0] || path[0] == "*" {
			found = append(found, c.in(path[1:]...)...)
		}
	}
	return found
}

// text is the text of an element, empty where there is none of that name.
func (e tag) text(name string) string {
	for _, c := range e.in(name) {
		return c.Text
	}
	return ""
}

func (e tag) texts(path ...string) (all []string) {
	for _, c := range e.in(path...) {
		all = append(all, c.Text)
	}
	return all
}

type naive struct {
	*testing.T
	path     string
	bundle   fs.FS
	snap     *model.Snapshot
	requests int
}

func (n *naive) document(file string) tag {
	n.Helper()
	text, err := fs.ReadFile(n.bundle, file)
	if err != nil {
		n.Fatal(err)
	}
	var root tag
	if err := xml.Unmarshal([]byte(strings.ReplaceAll(string(text), "%lt;", "&lt;")), &root); err != nil {
		n.Fatal(err)
	}
	return root
}

func (n *naive) same(what string, got, want any) {
	n.Helper()
	if got != want {
		n.Errorf("%s: %s: got %v, want %v", n.path, what, got, want)
	}
}

// printed is a number as printed, NaN where it is not.
func printed(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

func (n *naive) sameNumber(what string, got float64, text string) {
	n.Helper()
	if want := printed(text); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
		n.Errorf("%s: %s: got %v, printed %q", n.path, what, got, text)
	}
}

// local is the moment that a printed local time means.
func (n *naive) local(text string) time.Time {
	zone := time.UTC
	if n.snap.Location != "" {
		t, err := time.Parse("-0700", n.snap.Location)
		if err != nil {
			n.Fatal(err)
		}
		zone = t.Location()
	}
	if text == "" {
		return time.Time{}
	}
	t, err := time.ParseInLocation("2006-01-02T15:04:05.999999", text, zone)
	if err != nil {
		n.Fatal(err)
	}
	return t.UTC()
}

// numbersOf lists the numbers of ranges as printed.
func numbersOf(t *testing.T, text string) (all []uint32) {
	t.Helper()
	for part := range strings.SplitSeq(text, ",") {
		bounds, step, _ := strings.Cut(part, ":")
		first, last, ok := strings.Cut(bounds, "-")
		if !ok {
			last = first
		}
		if step == "" {
			step = "1"
		}
		var n [3]int
		for i, s := range []string{first, last, step} {
			v, err := strconv.Atoi(s)
			if err != nil {
				t.Fatal(err)
			}
			n[i] = v
		}
		for v := n[0]; v <= n[1]; v += n[2] {
			all = append(all, uint32(v))
		}
	}
	return all
}

// checkQstat compares every row of qstat.xml with the task and job made of it; it counts the tasks.
func (n *naive) checkQstat() int {
	type place struct {
		j *model.Job
		t *model.Task
	}
	places := map[[2]uint32]place{}
	for i := range n.snap.Jobs {
		j := &n.snap.Jobs[i]
		for k := range j.Tasks {
			for _, id := range expect.Numbers(j.Tasks[k].IDs) {
				key := [2]uint32{j.Number, id}
				if places[key].t != nil {
					n.Errorf("%s: task %v twice", n.path, key)
				}
				places[key] = place{j, &j.Tasks[k]}
			}
		}
	}
	rows := 0
	for _, row := range n.document("qstat.xml").in("*", "job_list") {
		number, err := strconv.Atoi(row.text("JB_job_number"))
		if err != nil {
			n.Fatal(err)
		}
		ids := []uint32{1}
		if len(row.in("tasks")) > 0 {
			ids = numbersOf(n.T, row.text("tasks"))
		}
		for _, id := range ids {
			rows++
			p, ok := places[[2]uint32{uint32(number), id}]
			if !ok {
				n.Errorf("%s: no task %d.%d", n.path, number, id)
				continue
			}
			n.checkTask(row, p.t)
			n.checkJob(row, p.j)
		}
	}
	n.same("number of tasks", len(places), rows)
	return rows
}

func (n *naive) checkTask(row tag, t *model.Task) {
	n.same("state", t.State, row.text("state"))
	n.same("slots", strconv.Itoa(t.Slots), row.text("slots"))
	if queue := row.text("queue_name"); queue != "" {
		n.same("queue", t.Granted[0].Instance, queue)
		n.same("started", t.Started, n.local(row.text("JAT_start_time")))
		n.same("enrolled", t.Enrolled, true)
	} else {
		n.same("granted", len(t.Granted), 0)
	}
	if r := t.Reported; r != nil {
		for name, got := range map[string]float64{
			"JAT_prio": r.Prio, "JAT_ntix": r.NTckts, "JAT_share": r.Share,
			"tickets": r.Tckts, "otickets": r.Otckt, "ftickets": r.Ftckt, "stickets": r.Stckt,
		} {
			n.sameNumber(name, got, row.text(name))
		}
	}
	for i, name := range []string{"cpu", "mem", "io"} {
		if text := row.text(name + "_usage"); text != "" {
			k := slices.IndexFunc(t.Usage, func(a model.Amount) bool { return a.Name == name })
			if k < 0 || math.Abs(t.Usage[k].Value-printed(text)) > 0.000006 {
				n.Errorf("%s: usage %d: got %v, want %s %s", n.path, i, t.Usage, name, text)
			}
		}
	}
}

func (n *naive) checkJob(row tag, j *model.Job) {
	n.same("name", j.Name, row.text("JB_name"))
	n.same("owner", j.Owner, row.text("JB_owner"))
	n.same("project", j.Project, row.text("JB_project"))
	n.same("department", j.Department, row.text("JB_department"))
	n.same("-p", strconv.Itoa(j.PosixPriority), row.text("JB_priority"))
	n.same("array", j.Array, len(row.in("tasks")) > 0)
	n.same("deadline", j.Deadline, n.local(row.text("JB_deadline")))
	for _, name := range []string{"JB_submission_time", "JAT_submission_time"} {
		if text := row.text(name); text != "" {
			n.same("submitted", j.Submitted, n.local(text))
		}
	}
	r := j.Reported
	for name, got := range map[string]float64{
		"JB_nppri": r.NPPrior, "JB_nurg": r.NUrg, "JB_rrcontr": r.RRContr, "JB_wtcontr": r.WTContr, "JB_dlcontr": r.DLContr,
	} {
		n.sameNumber(name, got, row.text(name))
	}
	if text := row.text("JB_urg"); text != "" {
		n.sameNumber("JB_urg", r.Urg, text)
	}
	for _, pe := range row.in("requested_pe") {
		n.same("pe", j.PE, pe.attr("name"))
		if got, want := expect.Numbers(j.PERange), numbersOf(n.T, pe.Text); !slices.Equal(got, want) {
			n.Errorf("%s: slots: got %v, want %v", n.path, got, want)
		}
	}
	n.checkRequests(row.in("hard_request"), j.Hard)
	n.checkRequests(row.in("soft_request"), j.Soft)
	n.sameList("hard queues", j.HardQueues, row.texts("hard_req_queue"))
	n.sameList("soft queues", j.SoftQueues, row.texts("soft_req_queue"))
	n.sameList("predecessors", j.PredecessorNames, row.texts("predecessor_jobs_req"))
	n.same("predecessors", len(j.Predecessors), len(row.in("predecessor_jobs")))
	if master := row.in("master_hard_request"); len(master) > 0 {
		n.checkRequests(master, j.MasterScope.Hard)
		n.checkRequests(row.in("slave_hard_request"), j.SlaveScope.Hard)
	}
}

func (n *naive) sameList(what string, got, want []string) {
	n.Helper()
	if !slices.Equal(got, want) {
		n.Errorf("%s: %s: got %q, want %q", n.path, what, got, want)
	}
}

// checkRequests compares requests by name: newer releases sort them in one file and not in the other.
func (n *naive) checkRequests(rows []tag, got []model.Request) {
	n.Helper()
	n.same("requests", len(got), len(rows))
	for _, row := range rows {
		n.requests++
		k := slices.IndexFunc(got, func(c model.Request) bool { return c.Resource == row.attr("name") })
		if k < 0 || got[k].Value != row.Text {
			n.Errorf("%s: request %s=%s: got %v", n.path, row.attr("name"), row.Text, got)
			continue
		}
		n.sameNumber("contribution", got[k].Contribution, row.attr("resource_contribution"))
	}
}

// checkQstatJ compares what only qstat -j knows; it counts the jobs.
func (n *naive) checkQstatJ() int {
	jobs := map[string]*model.Job{}
	for i := range n.snap.Jobs {
		jobs[strconv.Itoa(int(n.snap.Jobs[i].Number))] = &n.snap.Jobs[i]
	}
	document := n.document("qstat-j.xml")
	elements := document.in("djob_info", "element")
	for _, e := range elements {
		j := jobs[e.text("JB_job_number")]
		if j == nil {
			n.Errorf("%s: no job %s", n.path, e.text("JB_job_number"))
			continue
		}
		n.same("detailed", j.Detailed, true)
		n.same("-js", strconv.Itoa(int(j.JobShare)), e.text("JB_jobshare"))
		n.same("-ot", strconv.Itoa(int(j.OverrideTickets)), e.text("JB_override_tickets"))
		n.same("-p", strconv.Itoa(j.PosixPriority+1024), e.text("JB_priority"))
		n.same("-R", strconv.FormatBool(j.Reserve), e.text("JB_reserve"))
		n.same("-tc", strconv.Itoa(int(j.MaxRunningTasks)), e.text("JB_ja_task_concurrency"))
		n.same("version", strconv.Itoa(int(j.Version)), e.text("JB_version"))
		n.same("group", j.Group, e.text("JB_group"))
		n.same("-ar", strconv.Itoa(int(j.Reservation)), e.text("JB_ar"))
		if text := e.text("JB_submission_time"); strings.Contains(text, "T") {
			n.same("submitted", j.Submitted, n.local(text))
		} else {
			n.same("submitted", strconv.Itoa(int(j.Submitted.Unix())), text)
		}
		n.same("requests", len(j.Hard), len(e.in("JB_hard_resource_list", "qstat_l_requests"))+globalRequests(e))
		for _, c := range e.in("JB_hard_resource_list", "qstat_l_requests") {
			k := slices.IndexFunc(j.Hard, func(r model.Request) bool { return r.Resource == c.text("CE_name") })
			n.sameNumber("amount of "+c.text("CE_name"), j.Hard[k].Amount, c.text("CE_doubleval"))
		}
		n.checkEnrolled(e, j)
	}
	reasons := 0
	for _, m := range document.in("messages", "element", "SME_message_list", "element") {
		reasons += len(m.in("MES_job_number_list", "*", "ULNG_value"))
	}
	for _, j := range jobs {
		reasons -= len(j.Messages)
	}
	if reasons < 0 {
		n.Errorf("%s: %d messages too many", n.path, -reasons)
	}
	return len(elements)
}

func globalRequests(e tag) (sum int) {
	for _, set := range e.in("JB_request_set_list", "ulong_sublist") {
		if set.text("JRS_scope") == "0" {
			sum += len(set.in("JRS_hard_resource_list", "qstat_l_requests"))
		}
	}
	return sum
}

// checkEnrolled checks that the tasks that have an object of their own are those that say so.
func (n *naive) checkEnrolled(e tag, j *model.Job) {
	own := map[string]bool{}
	for _, t := range e.in("JB_ja_tasks", "*") {
		own[t.text("JAT_task_number")] = true
	}
	for _, t := range j.Tasks {
		for _, id := range expect.Numbers(t.IDs) {
			n.same("enrolled", t.Enrolled, own[strconv.Itoa(int(id))])
		}
	}
}

// checkQstatF compares queue instances; it counts them, and the parallel tasks whose slots add up.
func (n *naive) checkQstatF() (parallel, instances int) {
	document := n.document("qstat-f.xml")
	for _, q := range document.in("queue_info", "Queue-List") {
		k := slices.IndexFunc(n.snap.Instances, func(i model.QueueInstance) bool { return i.Name == q.text("name") })
		if k < 0 {
			n.Errorf("%s: no queue instance %s", n.path, q.text("name"))
			continue
		}
		instances++
		i := n.snap.Instances[k]
		n.same("listed", i.Listed, true)
		n.same("used", strconv.Itoa(i.Used), q.text("slots_used"))
		n.same("reserved", strconv.Itoa(i.Reserved), q.text("slots_resv"))
		n.same("slots", strconv.Itoa(i.Slots), q.text("slots_total"))
		n.same("state", i.State, q.text("state"))
		for _, v := range q.in("resource") {
			if !slices.Contains(i.Load, model.LoadValue{Name: v.attr("name"), Dominance: v.attr("type"), Value: v.Text}) {
				n.Errorf("%s: %s: no %s=%s in %v", n.path, i.Name, v.attr("name"), v.Text, i.Load)
			}
		}
	}
	for _, j := range n.snap.Jobs {
		for _, t := range j.Tasks {
			if t.Slots < 2 || len(t.Granted) == 0 || t.Granted[0].Slots == 0 {
				continue
			}
			parallel++
			slots := 0
			for _, g := range t.Granted {
				slots += g.Slots
			}
			n.same("slots granted", slots, t.Slots)
		}
	}
	return parallel, instances
}

// checkQhost compares hosts; it counts them.
func (n *naive) checkQhost() int {
	all := n.document("qhost.xml").in("host")
	for _, h := range all {
		k := slices.IndexFunc(n.snap.Hosts, func(g model.Host) bool { return g.Name == h.attr("name") })
		if k < 0 {
			n.Errorf("%s: no host %s", n.path, h.attr("name"))
			continue
		}
		got := n.snap.Hosts[k]
		values := 0
		for _, v := range h.in("hostvalue") {
			if v.Text != "-" && v.Text != "" {
				values++
				text, _ := model.Text(got.Values, v.attr("name"))
				n.same(v.attr("name"), text, v.Text)
			}
		}
		n.same("values", len(got.Values), values)
		n.same("resources", len(got.Load), len(h.in("resourcevalue")))
	}
	return len(all)
}

// compareText compares columns of a listing for people; it counts the values. They stand before the first column that a
// blank may be in, but for ppri all with numbers only.
func compareText(t *testing.T, path string, bundle fs.FS, snap *model.Snapshot, file string,
	columns []string) (values int) {
	t.Helper()
	text, err := fs.ReadFile(bundle, file)
	if err != nil {
		t.Fatal(err)
	}
	var header []string
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) > 0 && fields[0] == "job-ID" {
			header = fields
			continue
		}
		if len(fields) < 8 {
			continue
		}
		k := slices.IndexFunc(snap.Jobs, func(j model.Job) bool { return strconv.Itoa(int(j.Number)) == fields[0] })
		if k < 0 || snap.Jobs[k].Reported == nil {
			continue // it came after qstat.xml was printed
		}
		j := snap.Jobs[k]
		for _, column := range columns {
			got := map[string]float64{
				"nurg": j.Reported.NUrg, "npprior": j.Reported.NPPrior, "urg": j.Reported.Urg, "rrcontr": j.Reported.RRContr,
				"wtcontr": j.Reported.WTContr, "dlcontr": j.Reported.DLContr, "ppri": float64(j.PosixPriority),
			}
			if column == "ntckts" {
				if len(j.Tasks) != 1 {
					continue // which task a row is of, its last column says
				}
				got["ntckts"] = j.Tasks[0].Reported.NTckts
			}
			at := slices.Index(header, column)
			if at < 0 {
				continue // another release
			}
			values++
			if want := printed(fields[at]); got[column] != want {
				t.Errorf("%s: %s: job %d: %s: got %v, want %v", path, file, j.Number, column, got[column], want)
			}
		}
	}
	return values
}
