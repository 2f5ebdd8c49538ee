package lab

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// finish writes the output of a master about jobs and queues, at the lab's moment.
func (l *lab) finish(name string) error {
	if len(l.hosts) == 0 && len(l.jobs) > 0 {
		return fmt.Errorf("no line says which hosts there are: hosts node01 node02")
	}
	l.offerPEs()
	if len(l.in("pes/")) == 0 {
		l.files["pes.txt"] = nil // an empty file means that there are none
	}
	l.object("department", "defaultdepartment")
	l.files["hostgroups/@allhosts.txt"] = []byte("group_name @allhosts\nhostlist " + strings.Join(l.hosts, " ") + "\n")
	for i := range l.jobs {
		if j := &l.jobs[i]; j.submitted.After(l.last()) && !l.at.IsZero() {
			return fmt.Errorf("job %d is submitted after the lab's moment (at)", j.number)
		}
	}
	l.tree()
	instances, err := l.instances()
	if err != nil {
		return err
	}
	l.files["qstat-f.xml"] = instances
	l.files["qstat.xml"], l.files["qstat-j.xml"] = l.qstat(), l.qstatJ()
	l.files["qstat-help.txt"] = []byte("SGE " + l.release + "\n")
	l.files["MANIFEST"] = fmt.Appendf(nil, "taken_at %d\nmaster lab\ncell %s\nutc_offset +0000\n", l.last().Unix(), name)
	return nil
}

// last returns the lab's moment. Without a line for it, this is a second after the last submission or start.
func (l *lab) last() time.Time {
	at := l.at
	if at.IsZero() {
		for _, j := range l.jobs {
			for _, t := range []time.Time{j.submitted, j.starts} {
				if !t.Before(at) {
					at = t.Add(time.Second)
				}
			}
		}
	}
	if at.IsZero() {
		at = l.day
	}
	return at
}

// offerPEs adds all parallel environments to queues that the lab says nothing else about.
func (l *lab) offerPEs() {
	pes := l.namesIn("pes/")
	if len(pes) == 0 {
		return
	}
	for _, queue := range slices.Sorted(maps.Keys(l.plain)) {
		_ = l.change(queue, "pe_list", strings.Join(pes, " ")) // a new queue has the key
	}
}

// instances returns the output of qstat -f: slots, used slots, and the letter S for suspended instances.
func (l *lab) instances() ([]byte, error) {
	used, known := map[string]int{}, map[string]bool{}
	for _, j := range l.jobs {
		for _, p := range j.on {
			for _, g := range p {
				used[g.instance] += g.slots
			}
		}
	}
	suspended := map[string]bool{}
	var b bytes.Buffer
	b.WriteString("<?xml version='1.0'?>\n<job_info>\n<queue_info>\n")
	queues := l.in("queues/")
	for _, pass := range []bool{false, true} { // first find suspended instances, then print all
		for _, file := range queues {
			queue := l.valueOf(file, "qname")
			for _, host := range l.hosts {
				slots, err := strconv.Atoi(valueOn(l.valueOf(file, "slots"), host))
				if err != nil {
					return nil, fmt.Errorf("queue %s: slots: %w", queue, err)
				}
				name := queue + "@" + host
				known[name] = true
				if !pass {
					l.suspends(file, host, used[name], slots, suspended)
					continue
				}
				state := ""
				if suspended[name] {
					state = "<state>S</state>"
				}
				fmt.Fprintf(
					&b, "<Queue-List><name>%s</name><qtype>BIP</qtype><slots_used>%d</slots_used><slots_resv>0</slots_resv>"+
						"<slots_total>%d</slots_total>%s</Queue-List>\n", text(name), used[name], slots, state)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(used)) {
		if !known[name] {
			return nil, fmt.Errorf("a job runs on %s, which is no queue instance", name)
		}
	}
	b.WriteString("</queue_info>\n<job_info>\n</job_info>\n</job_info>\n")
	return b.Bytes(), nil
}

// suspends notes the queue instances that another one suspends by its subordinate_list, with this number of
// used slots.
func (l *lab) suspends(file, host string, used, slots int, suspended map[string]bool) {
	for _, s := range strings.Split(l.valueOf(file, "subordinate_list"), ",") {
		queue, threshold, _ := strings.Cut(s, "=")
		n, err := strconv.Atoi(threshold)
		if err != nil {
			n = slots
		}
		if queue != "" && used >= n {
			suspended[queue+"@"+host] = true
		}
	}
}

const qstatTime = "2006-01-02T15:04:05"

// qstat returns the output of qstat about jobs: running jobs first, then waiting ones.
func (l *lab) qstat() []byte {
	var running, waiting bytes.Buffer
	for _, j := range l.jobs {
		n := j.first
		for _, p := range j.on {
			slots := 0
			for _, g := range p {
				slots += g.slots
			}
			l.row(&running, &j, "running", "r", "<JAT_start_time>"+j.starts.Format(qstatTime)+"</JAT_start_time>", p[0].instance,
				strconv.Itoa(slots), fmt.Sprint(n))
			n += j.step
		}
		if n > j.last {
			continue
		}
		state := "qw"
		if j.held || len(j.after)+len(j.arrayAfter) > 0 {
			state = "hqw"
		}
		slots, _, _ := strings.Cut(j.slots, "-")
		if slots == "" {
			slots = "1"
		}
		l.row(&waiting, &j, "pending", state, "<JB_submission_time>"+j.submitted.Format(qstatTime)+
			"</JB_submission_time>", "", slots,
			fmt.Sprintf("%d-%d:%d", n, j.last, j.step))
	}
	return slices.Concat([]byte("<?xml version='1.0'?>\n<job_info>\n<queue_info>\n"), running.Bytes(),
		[]byte("</queue_info>\n<job_info>\n"), waiting.Bytes(), []byte("</job_info>\n</job_info>\n"))
}

// row is a row of qstat.
func (l *lab) row(b *bytes.Buffer, j *job, kind, state, when, queue, slots, tasks string) {
	fmt.Fprintf(
		b, "<job_list state=%q><JB_job_number>%d</JB_job_number><JB_priority>%d</JB_priority><JB_name>%s</JB_name>"+
			"<JB_owner>%s</JB_owner><JB_project>%s</JB_project><JB_department>%s</JB_department><state>%s</state>%s"+
			"<JB_override_tickets>%d</JB_override_tickets><JB_jobshare>%d</JB_jobshare><queue_name>%s</queue_name><slots>%s</slots>",
		kind, j.number, j.priority, text(j.name), text(j.user), text(j.project), text(l.departmentOf(j.user)),
		state, when, j.override, j.share,
		text(queue), text(slots))
	if j.array {
		fmt.Fprintf(b, "<tasks>%s</tasks>", tasks)
	}
	if j.pe != "" {
		fmt.Fprintf(b, "<requested_pe name=%q>%s</requested_pe>", text(j.pe), text(j.slots))
	}
	b.WriteString("</job_list>\n")
}

// qstatJ returns the output of qstat -j about jobs.
func (l *lab) qstatJ() []byte {
	var b bytes.Buffer
	b.WriteString("<?xml version='1.0'?>\n<detailed_job_info>\n<djob_info>\n")
	for i := range l.jobs {
		l.detail(&b, &l.jobs[i])
	}
	b.WriteString("</djob_info>\n</detailed_job_info>\n")
	return b.Bytes()
}

func (l *lab) detail(b *bytes.Buffer, j *job) {
	add := func(name string, value any) { fmt.Fprintf(b, "<%s>%s</%[1]s>", name, text(fmt.Sprint(value))) }
	list := func(name, of string, values []string) {
		if len(values) == 0 {
			return
		}
		fmt.Fprintf(b, "<%s>", name)
		for _, v := range values {
			fmt.Fprintf(b, "<element><%s>%s</%[1]s></element>", of, text(v))
		}
		fmt.Fprintf(b, "</%s>", name)
	}
	b.WriteString("<element>")
	add("JB_job_number", j.number)
	add("JB_submission_time", j.submitted.Unix())
	add("JB_owner", j.user)
	add("JB_group", j.user)
	add("JB_account", "sge")
	add("JB_job_name", j.name)
	add("JB_project", j.project)
	add("JB_department", l.departmentOf(j.user))
	add("JB_jobshare", j.share)
	add("JB_override_tickets", j.override)
	add("JB_priority", 1024+j.priority)
	add("JB_reserve", j.reserve)
	add("JB_deadline", unix(j.deadline))
	add("JB_execution_time", unix(j.execution))
	add("JB_ja_task_concurrency", j.most)
	add("JB_restart", 0)
	add("JB_version", 0)
	kind := 64
	if j.now {
		kind |= 1
	}
	add("JB_type", kind)
	if j.checkpoint != "" {
		add("JB_checkpoint_name", j.checkpoint)
	}
	if j.pe != "" {
		add("JB_pe", j.pe)
		b.WriteString("<JB_pe_range>")
		for _, part := range strings.Split(j.slots, ",") {
			low, high, ranged := strings.Cut(part, "-")
			if !ranged {
				high = low
			}
			if low == "" {
				low = "1"
			}
			if high == "" {
				high = "9999999"
			}
			fmt.Fprintf(b, "<ranges><RN_min>%s</RN_min><RN_max>%s</RN_max><RN_step>1</RN_step></ranges>", text(low), text(high))
		}
		b.WriteString("</JB_pe_range>")
	}
	fmt.Fprintf(
		b,
		"<JB_ja_structure><task_id_range><RN_min>%d</RN_min><RN_max>%d</RN_max><RN_step>%d</RN_step></task_id_range></JB_ja_structure>",
		j.first, j.last, j.step)
	requests(b, "JB_hard_resource_list", j.hard)
	requests(b, "JB_soft_resource_list", j.soft)
	list("JB_hard_queue_list", "QR_name", j.hardQ)
	list("JB_soft_queue_list", "QR_name", j.softQ)
	list("JB_master_hard_queue_list", "QR_name", j.masterQ)
	list("JB_jid_predecessor_list", "JRE_job_number", words(j.after))
	list("JB_ja_ad_predecessor_list", "JRE_job_number", words(j.arrayAfter))
	tasks(b, j)
	b.WriteString("</element>\n")
}

func requests(b *bytes.Buffer, name string, all []string) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(b, "<%s>", name)
	for _, r := range all {
		resource, value, _ := strings.Cut(r, "=")
		fmt.Fprintf(
			b, "<qstat_l_requests><CE_name>%s</CE_name><CE_stringval>%s</CE_stringval></qstat_l_requests>",
			text(resource), text(value))
	}
	fmt.Fprintf(b, "</%s>", name)
}

// tasks writes the running tasks with their granted slots.
func tasks(b *bytes.Buffer, j *job) {
	if len(j.on) == 0 {
		return
	}
	b.WriteString("<JB_ja_tasks>")
	for i, p := range j.on {
		fmt.Fprintf(
			b,
			"<ulong_sublist><JAT_status>128</JAT_status><JAT_task_number>%d</JAT_task_number><JAT_start_time>%d</JAT_start_time>"+
				"<JAT_granted_destin_identifier_list>", j.first+uint32(i)*j.step, j.starts.Unix())
		for _, g := range p {
			fmt.Fprintf(b, "<element><JG_qname>%s</JG_qname><JG_slots>%d</JG_slots></element>", text(g.instance), g.slots)
		}
		b.WriteString("</JAT_granted_destin_identifier_list></ulong_sublist>")
	}
	b.WriteString("</JB_ja_tasks>")
}

func words(numbers []uint32) (list []string) {
	for _, n := range numbers {
		list = append(list, strconv.FormatUint(uint64(n), 10))
	}
	return list
}

func unix(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// text escapes a text for XML.
func text(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer accepts everything
	return b.String()
}
