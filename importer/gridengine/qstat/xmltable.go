package qstat

import (
	"slices"

	"qprism/importer/gridengine/xmlscan"
)

// elements are the elements that may be inside another element, with the function that reads each. nil skips
// the element.
type elements map[string]func()

// A lookup is a table of elements that a reader uses for each job. For each element, it remembers the bytes up to the
// next one that is read. These differ: one job has one request, another has three. So it remembers the last four gaps.
type lookup struct {
	slots map[string]*slot
	first slot // stands before the first element
	other slot // for elements that are not in the table
}

// A slot is one element of a table.
type slot struct {
	read   func() // nil skips the element
	gaps   [4]gap // what followed the element
	oldest int    // of gaps
}

// A gap is what followed an element.
type gap struct {
	xmlscan.Gap
	next *slot // the element that ends it; nil for none
}

// lookup makes a table. It has these elements, and those that nothing uses.
func (e elements) lookup(x *xmlFile) *lookup {
	l := &lookup{slots: make(map[string]*slot, len(e)+len(ignoredElements)), other: slot{read: x.unknown}}
	for name := range ignoredElements {
		l.slots[name] = &slot{}
	}
	for name, read := range e {
		l.slots[name] = &slot{read: read}
	}
	return l
}

// find returns the slot of an element.
func (l *lookup) find(name []byte) *slot {
	if s := l.slots[string(name)]; s != nil {
		return s
	}
	return &l.other
}

// fields reads the elements inside the innermost open element.
func (x *xmlFile) fields(l *lookup) {
	depth := x.Depth()
	for at := &l.first; at != nil; at = x.after(at, l, depth) {
		if at.read != nil {
			at.read()
		}
	}
}

// after moves to the next element that is read, and returns its slot; nil for none.
func (x *xmlFile) after(at *slot, l *lookup, depth int) *slot {
	for i := range at.gaps {
		if g := &at.gaps[i]; x.Pass(&g.Gap, depth) {
			return g.next
		}
	}
	mark := x.Mark()
	next := x.wanted(l, depth, at, mark)
	g := &at.gaps[at.oldest]
	g.next, at.oldest = next, (at.oldest+1)%len(at.gaps)
	x.Keep(&g.Gap, mark)
	return next
}

// wanted moves to the next element whose slot has a function, and returns the slot; nil for none. A skipped element can
// differ from earlier ones. Then a gap with this element would rarely come again. So the table gets a
// function for it that only skips it, and new gaps end at its start tag.
func (x *xmlFile) wanted(l *lookup, depth int, from *slot, since xmlscan.Mark) *slot {
	same := func(g gap) bool { return x.Same(&g.Gap, since) }
	var skipped *slot
	for known := true; ; {
		found := x.Child(depth)
		if known && !slices.ContainsFunc(from.gaps[:], same) {
			known = false
			if skipped != nil {
				skipped.read = x.Leave
			}
		}
		if !found {
			return nil
		}
		if skipped = l.find(x.Name()); skipped.read != nil {
			return skipped
		}
	}
}

// put makes a function that reads a value into its place.
func put[T any](into *T, read func() T) func() { return func() { *into = read() } }

// add makes a function that reads one more value of a list.
func add[T any](into *[]T, read func() T) func() { return func() { *into = append(*into, read()) } }

// read reads the elements inside the innermost open element.
func (x *xmlFile) read(known elements) {
	for d := x.Depth(); x.Child(d); {
		x.element(known)
	}
}

// element reads the innermost open element. An unknown element goes into the snapshot's list.
func (x *xmlFile) element(known elements) {
	read, ok := known[string(x.Name())]
	switch {
	case read != nil:
		read()
	case !ok && !ignoredElements[string(x.Name())]:
		x.unknown()
	}
}

// A listReader reads lists with entries of one kind.
type listReader[T any] struct {
	x     *xmlFile
	entry T // the current entry
	known *lookup
}

func newList[T any](x *xmlFile, table func(entry *T) elements) *listReader[T] {
	l := &listReader[T]{x: x}
	l.known = table(&l.entry).lookup(x)
	return l
}

func (r *listReader[T]) read() (all []T) {
	r.each(func(entry *T) { all = append(all, *entry) })
	return all
}

// each reads entry by entry. All entries use the same memory.
func (r *listReader[T]) each(do func(entry *T)) {
	for l := r.x.list(); l.next(); {
		r.entry = *new(T)
		l.fields(r.known)
		do(&r.entry)
	}
}

// mostRemembered is how many values remember keeps at once.
const mostRemembered = 1000

// remember keeps what a text means. If there are too many texts, it forgets all others.
func remember[T any](known map[string]T, text string, value T) {
	if len(known) == mostRemembered {
		clear(known)
	}
	known[text] = value
}

// repeated makes a function that reads an element which is often the same in many jobs, such as a list of requests. The
// function remembers what the bytes of the element mean, and returns the same value for the same bytes. So nobody may
// change the value. It does not remember elements with a fault or with unknown elements: each of these must be
// reported or counted.
func repeated[T any](x *xmlFile, read func() T) func() T {
	known := map[string]T{}
	return func() T {
		text := x.Inside()
		if value, same := known[string(text)]; same {
			x.PassInside(len(text))
			return value
		}
		if text == nil {
			return read()
		}
		key, mark, news := string(text), x.Mark(), x.news
		value := read()
		if x.Ended(mark, len(key)) && x.fault == nil && x.news == news {
			remember(known, key, value)
		}
		return value
	}
}

// under reads a list, and keeps one field of each entry.
func under[T any](x *xmlFile, name string, read func() T) (all []T) {
	for l := x.list(); l.next(); {
		for l.field() {
			if string(x.Name()) == name {
				all = append(all, read())
			}
		}
	}
	return all
}

// An xmlList reads a list. Each entry is an element. Some releases print only the fields of all entries, one
// after the other. Then the field that came first begins the next entry.
type xmlList struct {
	x            *xmlFile
	depth, inner int
	first        string // the field that begins an entry; empty if each entry is an element
	here         bool   // the first field of the next entry was read
	over         bool
}

// list begins the list whose element was read last.
func (x *xmlFile) list() xmlList { return xmlList{x: x, depth: x.Depth()} }

// next moves to the next entry.
func (l *xmlList) next() bool {
	switch {
	case l.here:
		return true
	case l.over || !l.x.Child(l.depth):
		return false
	case isField(l.x.Name()):
		l.first, l.here = string(l.x.Name()), true
	default:
		l.inner = l.x.Depth()
	}
	return true
}

// field moves to the next field of the entry.
func (l *xmlList) field() bool {
	switch {
	case l.here:
		l.here = false
		return true
	case l.first == "":
		return l.x.Child(l.inner)
	case !l.x.Child(l.depth):
		l.over = true
		return false
	case string(l.x.Name()) == l.first:
		l.here = true
		return false
	}
	return true
}

// fields reads all fields of the entry.
func (l *xmlList) fields(known *lookup) {
	if l.first == "" {
		l.x.fields(known)
		return
	}
	for l.field() {
		if s := known.find(l.x.Name()); s.read != nil {
			s.read()
		}
	}
}

// isField reports whether an element has the name of a field, "JB_owner": capital letters, then an underscore.
func isField(name []byte) bool {
	for i, c := range name {
		if c == '_' {
			return i > 0
		}
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	return false
}

// ignoredElements are printed elements on which nothing here depends. So a snapshot lists only new elements as
// unknown. An element that contains others includes all of them.
var ignoredElements = setOf(
	// qstat.xml
	"JB_jobshare", // in a row it is the task's share cut to an integer; -js is in qstat-j.xml only
	// The job class of Univa and Altair Grid Engine. Its requests are also in the job.
	"jclass_name",
	"def_hard_request",        // default requests of a queue instance; they do not count as urgency
	"ad_predecessor_jobs_req", // always empty

	// qstat-j.xml, a job: how it runs, not when.
	"JB_binding", "JB_preemption", "JB_checkpoint_attr", "JB_checkpoint_interval", "JB_cwd", "JB_directive_prefix",
	"JB_env_list", "JB_exec_file", "JB_gid", "JB_job_args", "JB_mail_list", "JB_mail_options", "JB_merge_stderr",
	"JB_notify", "JB_path_aliases", "JB_pty", "JB_script_file", "JB_script_size", "JB_shell_list",
	"JB_stderr_path_list", "JB_stdin_path_list", "JB_stdout_path_list", "JB_submission_command_line",
	"JB_sync_options", "JB_uid", "JB_verify",
	// Limits in seconds, never set.
	"JB_soft_wallclock_gmt", "JB_hard_wallclock_gmt", "JB_verify_suitable_queues",
	// Jobs that wait for it, and ended tasks.
	"JB_jid_successor_list", "JB_ja_ad_successor_list", "JB_ja_ad_request_list", "JB_ja_z_ids",
	// Values of the scheduler; qstat.xml has them for the right moment.
	"JB_nurg", "JB_category_id",
	"JRS_ignore_slave_requests_on_master_host",

	// a task
	"JAT_ntix", "JAT_state", "JAT_hold", "JAT_job_restarted", "JAT_end_time", "JAT_message_list",
	"JAT_granted_resources_list",
	// a queue instance granted to it
	"JG_fticket", "JG_jcfticket", "JG_jcoticket", "JG_oticket", "JG_sticket", "JG_ticket", "JG_qhostname", "JG_queue",
	"JG_qversion", "JG_tag_slave_job", "JG_processors", "JG_task_id_range",
	// a request
	"CE_relop", "CE_consumable", "CE_dominant", "CE_pj_doubleval", "CE_pj_dominant", "CE_requestable", "CE_tagged",

	// qstat-j.xml: messages that belong to no single job.
	"SME_global_message_list", "SME_exceeded",

	// qstat-f.xml: the cause of an alarm letter in the state.
	"load-alarm-reason", "suspend-alarm-reason",

	// Univa and Altair Grid Engine: how a job runs, and facts that its type and requests repeat.
	"JB_is_binary", "JB_no_shell", "JB_is_immediate", "JB_mbind", "JB_supplementary_group_list",
	"JB_request_dispatch_info",
	"JB_ja_task_concurrency_all", "JAT_granted_pe", "JAT_granted_request_list", "JG_binding", "JG_resource_map",
	"CE_pj_fbsb_doubleval", "CE_access_specifier", "CE_available_after_preemption", "CE_tagged_for_deletion",
	"CE_license_usage",
	"CE_affinity",
)

func setOf(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}
