package qstat

// elements are the elements that may stand inside another one, and what reads each; nil for one that is passed over.
type elements map[string]func()

// A lookup finds the elements of a table that is used for each job. Nearly all have a slot of their own, which takes
// less time than a map.
type lookup struct {
	slots [512]struct {
		name string
		read func() // nil for one that is passed over
	}
	all elements
}

// lookup adds the elements that are not used.
func (e elements) lookup() *lookup {
	l := &lookup{all: e}
	for name := range ignoredElements {
		if e[name] == nil {
			e[name] = nil
		}
	}
	for name, read := range e {
		slot := &l.slots[slotOf([]byte(name))]
		slot.name, slot.read = name, read
	}
	return l
}

func slotOf(name []byte) uint {
	n := uint(len(name))
	return (n*131 + uint(name[n-1])*31 + uint(name[n/2])*7 + uint(name[n/4])) % 512
}

// lookUp reads the innermost open element.
func (x *xmlFile) lookUp(l *lookup) {
	name := x.Name()
	slot := &l.slots[slotOf(name)]
	switch {
	case slot.name != string(name):
		x.element(l.all)
	case slot.read != nil:
		slot.read()
	}
}

// put reads a value into its place.
func put[T any](into *T, read func() T) func() { return func() { *into = read() } }

// add reads a value more of a list.
func add[T any](into *[]T, read func() T) func() { return func() { *into = append(*into, read()) } }

// read reads what stands inside the innermost open element.
func (x *xmlFile) read(known elements) {
	for d := x.Depth(); x.Child(d); {
		x.element(known)
	}
}

// element reads the innermost open element. One that nobody knows is kept in the snapshot's list.
func (x *xmlFile) element(known elements) {
	read, ok := known[string(x.Name())]
	switch {
	case read != nil:
		read()
	case !ok && !ignoredElements[string(x.Name())]:
		x.unknown()
	}
}

// A listReader reads lists whose entries are of one kind.
type listReader[T any] struct {
	x     *xmlFile
	entry T // the one that is being read
	known *lookup
}

func newList[T any](x *xmlFile, table func(entry *T) elements) *listReader[T] {
	l := &listReader[T]{x: x}
	l.known = table(&l.entry).lookup()
	return l
}

func (r *listReader[T]) read() (all []T) {
	r.each(func(entry *T) { all = append(all, *entry) })
	return all
}

// each reads entry by entry, always in the same place.
func (r *listReader[T]) each(do func(entry *T)) {
	for l := r.x.list(); l.next(); {
		r.entry = *new(T)
		for l.field() {
			r.x.lookUp(r.known)
		}
		do(&r.entry)
	}
}

// under reads a list of whose entries one field counts.
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

// An xmlList goes through a list. Each entry is an element; some releases print only the fields of all
// entries, one behind the other, and then the field that came first begins the next entry.
type xmlList struct {
	x            *xmlFile
	depth, inner int
	first        string // the field that begins an entry; empty where elements hold them
	here         bool   // the first field of the next entry is read
	over         bool
}

// list is a list whose element was read last.
func (x *xmlFile) list() xmlList { return xmlList{x: x, depth: x.Depth()} }

// next goes on to the next entry.
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

// field goes on to the next field of the entry.
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

// isField reports whether an element is named as fields are, "JB_owner": letters that are all capital, and
// a line below.
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

// ignoredElements are the elements that commands print and nothing here depends on, so that what a snapshot lists as
// unknown is what nobody has seen yet. Elements that hold others stand for all of them.
var ignoredElements = setOf(
	// qstat.xml
	"JB_jobshare", // in a row it is the task's share cut to an integer; -js is in qstat-j.xml only
	// the class that a job is of, of Univa and Altair Grid Engine; what it asks for stands beside
	"jclass_name",
	"def_hard_request",        // requests that a queue instance adds by default; they do not count as urgency
	"ad_predecessor_jobs_req", // always empty

	// qstat-j.xml, a job: how it runs, not when
	"JB_binding", "JB_preemption", "JB_checkpoint_attr", "JB_checkpoint_interval", "JB_cwd", "JB_directive_prefix",
	"JB_env_list", "JB_exec_file", "JB_gid", "JB_job_args", "JB_mail_list", "JB_mail_options", "JB_merge_stderr",
	"JB_notify", "JB_path_aliases", "JB_pty", "JB_script_file", "JB_script_size", "JB_shell_list",
	"JB_stderr_path_list", "JB_stdin_path_list", "JB_stdout_path_list", "JB_submission_command_line",
	"JB_sync_options", "JB_uid", "JB_verify",
	// its limits in seconds, never set
	"JB_soft_wallclock_gmt", "JB_hard_wallclock_gmt", "JB_verify_suitable_queues",
	// jobs that wait for it, and tasks that have ended
	"JB_jid_successor_list", "JB_ja_ad_successor_list", "JB_ja_ad_request_list", "JB_ja_z_ids",
	// what the scheduler made of it; in qstat.xml for the same moment as all else
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

	// qstat-j.xml, messages about no job of its own
	"SME_global_message_list", "SME_exceeded",

	// qstat-f.xml: what the letter of an alarm in the state is about
	"load-alarm-reason", "suspend-alarm-reason",

	// of Univa and Altair Grid Engine: how a job runs, and what its type and requests say beside
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
