package qconf

import (
	"errors"
	"fmt"
	"strings"

	"qprism/engine/model"
	"qprism/importer/fields"
)

// readQueues reads queues/ or queues.txt, the output of qconf -sq: queue_conf(5). It also makes the queue
// instances, so hosts and host groups must be read before it.
func readQueues(c *configReader) error {
	required := "hostlist seq_no pe_list slots user_lists xuser_lists complex_values projects xprojects h_rt h_vmem"
	if err := readObjects(c, "queues", "qname", &c.Snap.Queues, queueFields, required); err != nil {
		return err
	}
	return c.resolveInstances()
}

// queueFields keeps every attribute as configured. It checks each value on an instance that it throws away.
func queueFields(q *model.Queue) fields.Table {
	instance := &model.QueueInstance{}
	known := instanceFields(instance)
	for key, f := range known {
		try := func(value string) error {
			*instance = model.QueueInstance{}
			return apply(f, value)
		}
		known[key] = fields.Field{Read: readAttribute(q, key, try), Holds: f.Holds, Words: f.Words}
	}
	known["qname"] = fields.Text(&q.Name)
	known["hostlist"] = list(&q.HostList)
	return known
}

// readAttribute reads an attribute with the values of hosts and host groups.
func readAttribute(q *model.Queue, key string, try func(value string) error) func(string) error {
	return func(value string) error {
		a, err := parseAttribute(key, value)
		if err != nil {
			return err
		}
		if err := try(a.Default); err != nil {
			return err
		}
		for _, o := range a.Overrides {
			if err := try(o.Value); err != nil {
				return fmt.Errorf("[%s]: %w", o.Name, err)
			}
		}
		q.Attributes = append(q.Attributes, a)
		return nil
	}
}

var (
	errOverride  = errors.New(`not of the form VALUE,[HOST=VALUE],…`)
	errInstances = fmt.Errorf("more than %d queue instances", maxInstances)
)

// parseAttribute reads "VALUE,[HOST=VALUE],[@GROUP=VALUE],…". No value has a "[", because the master does not
// accept one.
func parseAttribute(name, value string) (model.QueueAttribute, error) {
	a := model.QueueAttribute{Name: name}
	parts := strings.Split(value, "[")
	for i, part := range parts {
		part = strings.TrimRight(part, blanks)
		if i < len(parts)-1 {
			body, ok := strings.CutSuffix(part, ",")
			if !ok && part != "" { // an empty first part means that there is no default
				return a, errOverride
			}
			part = strings.TrimRight(body, blanks)
		}
		if i == 0 {
			a.Default = part
			continue
		}
		host, v, ok := strings.Cut(part, "=")
		v, closed := strings.CutSuffix(v, "]")
		if !ok || !closed || host == "" {
			return a, errOverride
		}
		a.Overrides = append(a.Overrides, model.Setting{Name: host, Value: strings.Trim(v, blanks)})
	}
	if a.Default == "" && a.Overrides == nil {
		return a, errMissing
	}
	return a, nil
}

// apply reads the value of a host, if the host has one and an instance has such a field.
func apply(f fields.Field, value string) error {
	if f.Read == nil || value == "" {
		return nil
	}
	return f.Read(value)
}

// instanceFields are the keys of queue_conf(5) that hosts and host groups can override.
func instanceFields(i *model.QueueInstance) fields.Table {
	t := fields.Table{
		"seq_no":             integer(&i.SeqNo),
		"load_thresholds":    settings(&i.LoadThresholds),
		"suspend_thresholds": settings(&i.SuspendThresholds),
		"nsuspend":           integer(&i.Suspensions),
		"suspend_interval":   interval(&i.SuspendInterval),
		"qtype":              fields.Converted(&i.Type, parseQueueType).With("BATCH INTERACTIVE CHECKPOINTING PARALLEL"),
		"ckpt_list":          list(&i.Checkpoints),
		"pe_list":            list(&i.PEs),
		"rerun":              fields.Bool(&i.Rerun),
		"slots":              integer(&i.Slots),
		"user_lists":         list(&i.ACL),
		"xuser_lists":        list(&i.XACL),
		"subordinate_list":   fields.Field{Read: subordinates(i)}.With("sr lr slots"),
		"complex_values":     settings(&i.Capacity),
		"projects":           list(&i.Projects),
		"xprojects":          list(&i.XProjects),
		"calendar":           optional(&i.Calendar),
		"initial_state":      fields.Text(&i.InitialState).With("enabled disabled"),
		"shell_start_mode":   fields.Unused(fields.Values).With(shellModes),
	}
	also(t, &i.Limits, fields.Values, `s_rt h_rt s_cpu h_cpu s_fsize h_fsize s_data h_data s_stack h_stack s_core h_core s_rss h_rss
		s_vmem h_vmem`)
	unused(t, fields.Values, "priority min_cpu_interval processors notify")
	unused(t, fields.Names,
		`tmpdir shell prolog epilog starter_method suspend_method resume_method terminate_method owner_list`)
	return t
}

// shellModes are the values of shell_start_mode.
const shellModes = "unix_behavior posix_compliant script_from_stdin"

func parseQueueType(value string) string { return strings.Join(members(value), " ") }

// subordinates reads "QUEUE=THRESHOLD,…", or slot-wise "slots=SUM(QUEUE:ORDER:ACTION,…)".
func subordinates(i *model.QueueInstance) func(string) error {
	return func(value string) error {
		const key = "slots="
		if len(value) < len(key) || !strings.EqualFold(value[:len(key)], key) {
			return queueWise(i, value)
		}
		return slotWise(i, value[len(key):])
	}
}

func slotWise(i *model.QueueInstance, value string) error {
	sum, rest, opened := strings.Cut(value, "(")
	inside, after, closed := strings.Cut(rest, ")")
	if !opened || !closed || strings.TrimSpace(after) != "" {
		return fmt.Errorf("%q: %w", "slots="+value, errSyntax)
	}
	if err := integer(&i.SlotwiseSum).Read(strings.TrimSpace(sum)); err != nil {
		return err
	}
	for _, word := range words(inside) {
		part := append(strings.SplitN(word, ":", 3), "", "")
		s := model.Subordinate{Queue: part[0], Action: "sr"}
		if part[1] != "" {
			if err := integer(&s.Order).Read(part[1]); err != nil {
				return err
			}
		}
		switch part[2] {
		case "", "sr":
		case "lr":
			s.Action = "lr"
		default:
			return fmt.Errorf("%q: neither sr nor lr", part[2])
		}
		i.Subordinates = append(i.Subordinates, s)
	}
	return nil
}

func queueWise(i *model.QueueInstance, value string) error {
	for _, word := range members(value) {
		s := model.Subordinate{Queue: word}
		if at := strings.IndexAny(word, "=:"); at >= 0 {
			s.Queue = word[:at]
			if err := integer(&s.Threshold).Read(word[at+1:]); err != nil {
				return err
			}
		}
		i.Subordinates = append(i.Subordinates, s)
	}
	return nil
}
