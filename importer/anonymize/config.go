package anonymize

import (
	"fmt"
	"regexp"
	"strings"

	"qprism/engine/model"
)

// How the value of a key is written: as a name, or as a value with keywords of its own.
type how struct {
	name  bool
	words map[string]bool
	write func(w *writer, value string) string // where that does not do
}

var (
	asName  = &how{name: true}
	asValue = &how{}
)

func asWords(words ...string) *how { return &how{words: set(words...)} }

// A table says how the keys of a kind of file are written.
type table map[string]*how

// keys gives the same how to many keys.
func (t table) keys(h *how, names ...string) table {
	for name := range set(names...) {
		t[name] = h
	}
	return t
}

const (
	access    = `user_lists xuser_lists projects xprojects acl xacl`
	usage     = `cpu mem io iow vmem maxvmem`
	shellMode = `unix_behavior posix_compliant script_from_stdin`
)

// tables are the keys of each kind of configuration file. A key that is not here is left out with its line.
var tables = map[string]table{
	"user":    table{}.keys(asValue, `oticket fshare delete_time`).keys(asName, `name default_project`),
	"project": table{}.keys(asValue, `oticket fshare`).keys(asName, `name acl xacl`),
	"userset": table{}.keys(asValue, `oticket fshare`).keys(asName, `name entries`).keys(asWords(`ACL DEPT`), `type`),
	"queue": table{}.keys(asValue,
		`seq_no load_thresholds suspend_thresholds nsuspend suspend_interval priority min_cpu_interval processors rerun slots
		notify complex_values s_rt h_rt s_cpu h_cpu s_fsize h_fsize s_data h_data s_stack h_stack s_core h_core s_rss h_rss s_vmem h_vmem`).
		keys(asName, access+
			` qname hostlist ckpt_list pe_list tmpdir shell prolog epilog starter_method suspend_method resume_method terminate_method
		owner_list calendar job_class_list`).
		keys(asWords(`BATCH INTERACTIVE CHECKPOINTING PARALLEL`), `qtype`).
		keys(asWords(shellMode), `shell_start_mode`).
		keys(asWords(`sr lr slots`), `subordinate_list`).
		keys(asWords(`enabled disabled`), `initial_state`),
	"host": table{}.keys(asValue, `load_scaling complex_values load_values processors report_variables`).keys(asWords(usage), `usage_scaling`).
		keys(asName, access+` hostname`),
	"hostgroup": table{}.keys(asName, `group_name hostlist`),
	"pe": table{}.keys(asValue, `slots control_slaves job_is_first_task accounting_summary daemon_forks_slaves master_forks_slaves
		ign_sreq_on_mhost`).
		keys(asName, access+` pe_name start_proc_args stop_proc_args qsort_args`).
		keys(asWords(`pe_slots fill_up round_robin`), `allocation_rule`).keys(asWords(`min max avg`), `urgency_slots`),
	"ckpt": table{}.keys(asName, `ckpt_name ckpt_command migr_command restart_command clean_command ckpt_dir`).keys(asValue, `signal`).
		keys(asWords(`userdefined hibernator cpr cray-ckpt transparent application-level`), `interface`).
		keys(asWords(`sx s n m x r sm smx smr sxr mx mr sr sn nr`), `when`),
	"calendar": table{}.keys(asName,
		`calendar_name`).keys(asWords(`on off suspended mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep oct
		nov dec`), `year week`),
	"rqs":        table{}.keys(asValue, `{ } enabled`).keys(asName, `name description`).keys(&how{write: (*writer).rule}, `limit`),
	"share_tree": table{}.keys(asValue, `id type shares childnodes`).keys(asName, `name`),
	"sched_conf": table{}.keys(asValue, `algorithm schedule_interval maxujobs job_load_adjustments load_adjustment_decay_time load_formula
		flush_submit_sec flush_finish_sec reprioritize_interval halftime compensation_factor weight_user weight_project weight_department weight_job
		weight_tickets_functional weight_tickets_share share_override_tickets share_functional_shares max_functional_jobs_to_schedule
		report_pjob_tickets max_pending_tasks_per_job weight_ticket weight_waiting_time weight_deadline weight_urgency weight_priority
		max_reservation default_duration weight_host_affinity weight_host_sort weight_queue_affinity weight_queue_host_sort weight_queue_seqno`).
		keys(asWords(usage), `usage_weight_list halflife_decay_list`).
		keys(asWords(`load seqno share`), `queue_sort_method`).keys(asWords(`job_list`), `schedd_job_info`).
		keys(&how{write: (*writer).policies}, `policy_hierarchy`).keys(&how{write: (*writer).params}, `params`),
	"conf": table{}.keys(asValue, `load_report_time max_unheard reschedule_unknown min_uid min_gid finished_jobs gid_range max_aj_instances
		max_aj_tasks max_u_jobs max_jobs max_advance_reservations auto_user_oticket auto_user_fshare auto_user_delete_time delegated_file_staging
		reprioritize enforce_project enforce_user token_extend_time finished_jobs_max finished_jobs_keep_time port_range gdi_request_limits`).
		keys(asWords(`auto`), `enforce_user`).
		keys(asName, access+` execd_spool_dir mailer xterm load_sensor prolog epilog login_shells administrator_mail set_token_cmd pag_cmd
		shepherd_cmd qlogin_command qlogin_daemon rlogin_command rlogin_daemon rsh_command rsh_daemon auto_user_default_project jsv_url
		jsv_allowed_mod libjvm_path additional_jvm_args mail_tag topology_file`).
		keys(asWords(shellMode), `shell_start_mode`).keys(asWords(`log_info log_warning log_err log_debug`), `loglevel`).
		keys(&how{write: (*writer).params}, `qmaster_params execd_params reporting_params binding_params jsv_params`),
	"complex":  {},
	"managers": {}, "operators": {}, "admin_hosts": {}, "submit_hosts": {},
}

// write writes a value as the table says.
func (h *how) of(w *writer, value string) string {
	switch {
	case h.write != nil:
		return h.write(w, value)
	case h.name:
		return w.Name(value)
	}
	return w.ValueOf(value, h.words)
}

// config writes a configuration file, without its comments.
func (w *writer) config(lines []model.Line) []byte {
	var b strings.Builder
	for _, l := range lines {
		if text := w.configLine(l); text != "" {
			b.WriteString(text)
			b.WriteByte('\n')
		}
	}
	return []byte(b.String())
}

// configLine is a line as it is given away, empty for one that is left out.
func (w *writer) configLine(l model.Line) string {
	host, isHost := strings.CutSuffix(strings.TrimPrefix(l.Text, "#"), ":")
	switch {
	case l.Kind == "conf" && isHost && !strings.ContainsAny(host, " \t"):
		return "#" + w.Name(host) + ":"
	case l.Text == "no sharetree element":
		return l.Text
	case l.Key == model.LineBlank:
		return ""
	case l.Key == model.LineEntry && l.Kind == "complex":
		return w.complexEntry(l.Text)
	case l.Key == model.LineEntry:
		return w.Name(l.Text)
	}
	h := tables[l.Kind][l.Key]
	if h == nil {
		w.leave(l.File, fmt.Sprintf("line %d", l.Number), fmt.Sprintf("no rule says what %q holds", l.Key))
		return ""
	}
	separator := " "
	if l.Kind == "share_tree" {
		separator = "="
	}
	return l.Key + separator + h.of(w, l.Value)
}

var complexWords = set(`INT DOUBLE TIME MEMORY BOOL STRING CSTRING RESTRING HOST RSMAP YES NO FORCED JOB Y N y n yes no EXCL`)

// complexEntry is an entry of the complex: names and a default, with types and relations between them.
func (w *writer) complexEntry(text string) string {
	f := strings.Fields(text)
	for i := range f {
		if 2 <= i && i <= 5 {
			f[i] = w.ValueOf(f[i], complexWords)
		} else {
			f[i] = w.Value(f[i])
		}
	}
	return strings.Join(f, " ")
}

var (
	paramName = regexp.MustCompile(`^[A-Za-z_]+$`)
	hierarchy = regexp.MustCompile(`^[OFS]{1,3}$`)
)

// params is a list of settings of the master, whose names are its own.
func (w *writer) params(value string) string {
	return runs(value, func(c byte) bool { return !strings.ContainsRune(" ,;\t", rune(c)) }, func(setting string) string {
		name, v, given := strings.Cut(setting, "=")
		if !given || !paramName.MatchString(name) {
			return w.Value(setting)
		}
		w.isFormat(name)
		return name + "=" + w.Value(v)
	})
}

// policies is the order of the ticket policies.
func (w *writer) policies(value string) string {
	if hierarchy.MatchString(value) {
		return value
	}
	return w.Value(value)
}

// rule is a rule of a quota set: filters, each behind the word that says what it is of, and limits behind "to".
func (w *writer) rule(value string) string {
	filters, limits, ok := cutWord(value, "to")
	if !ok {
		return w.Name(value)
	}
	words := strings.Fields(filters)
	for i, word := range words {
		behind := i > 0 && quotaWords[words[i-1]] && !strings.HasSuffix(words[max(0, i-2)], ",")
		if !quotaWords[word] || behind {
			words[i] = w.Name(word)
		}
	}
	return strings.Join(append(words, "to", w.Value(limits)), " ")
}

var quotaWords = set("users projects pes queues hosts name")

// cutWord cuts a text at a word between blanks.
func cutWord(text, word string) (before, after string, found bool) {
	f := strings.Fields(text)
	for i, w := range f {
		if w == word {
			return strings.Join(f[:i], " "), strings.Join(f[i+1:], " "), true
		}
	}
	return text, "", false
}
