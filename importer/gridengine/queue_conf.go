package gridengine

import (
	"errors"
	"fmt"
	"strings"

	"qprism/engine/model"
)

// readQueues reads queues/ or queues.txt, what qconf -sq printed: queue_conf(5). It works out the queue instances, so
// that hosts and host groups come before it.
func readQueues(c *configReader) (err error) {
	c.Snap.Queues, err = readObjects(c, "queues", "qname", c.queue)
	if err != nil {
		return err
	}
	return c.resolveInstances()
}

// queue keeps every attribute as configured, having tried each of its values on an instance that is thrown away.
func (c *configReader) queue(o object, q *model.Queue) error {
	q.Name = o.name
	known := fields{"hostlist": list(&q.HostList)}
	for key, read := range attributes {
		known[key] = func(value string) error {
			a, err := parseAttribute(key, value)
			if err != nil {
				return err
			}
			for _, v := range append([]model.Setting{{Value: a.Default}}, a.Overrides...) {
				if err := apply(read, &model.QueueInstance{}, v.Value); err != nil && v.Name != "" {
					return fmt.Errorf("[%s]: %w", v.Name, err)
				} else if err != nil {
					return err
				}
			}
			q.Attributes = append(q.Attributes, a)
			return nil
		}
	}
	return c.fill(o, known, "hostlist", "seq_no", "pe_list", "slots", "user_lists", "xuser_lists", "complex_values",
		"projects", "xprojects", "h_rt", "h_vmem")
}

var (
	errOverride  = errors.New(`not of the form VALUE,[HOST=VALUE],…`)
	errInstances = fmt.Errorf("more than %d queue instances", maxInstances)
)

// parseAttribute reads "VALUE,[HOST=VALUE],[@GROUP=VALUE],…". No value holds a "[", or the master had not taken it.
func parseAttribute(name, value string) (model.QueueAttribute, error) {
	a := model.QueueAttribute{Name: name}
	parts := strings.Split(value, "[")
	for i, part := range parts {
		part = strings.TrimRight(part, blanks)
		if i < len(parts)-1 {
			body, ok := strings.CutSuffix(part, ",")
			if !ok && part != "" { // nothing before the first one: there is no default
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

// An attribute puts a value into an instance; nil where an instance does not keep it.
type attribute func(i *model.QueueInstance, value string) error

func apply(read attribute, i *model.QueueInstance, value string) error {
	if read == nil || value == "" {
		return nil
	}
	return read(i, value)
}

// field is the attribute that is a field of an instance.
func field[T any](read func(*T) func(string) error, place func(*model.QueueInstance) *T) attribute {
	return func(i *model.QueueInstance, value string) error { return read(place(i))(value) }
}

// limit is an attribute among the limits of an instance.
func limit(name string) attribute {
	return func(i *model.QueueInstance, value string) error {
		i.Limits = append(i.Limits, model.Setting{Name: name, Value: value})
		return nil
	}
}

// attributes are the keys of queue_conf(5) that hosts and host groups can override.
var attributes = map[string]attribute{
	"seq_no":             field(integer, func(i *model.QueueInstance) *int { return &i.SeqNo }),
	"load_thresholds":    field(settings, func(i *model.QueueInstance) *[]model.Setting { return &i.LoadThresholds }),
	"suspend_thresholds": field(settings, func(i *model.QueueInstance) *[]model.Setting { return &i.SuspendThresholds }),
	"nsuspend":           field(integer, func(i *model.QueueInstance) *int { return &i.Suspensions }),
	"suspend_interval":   suspendInterval,
	"qtype":              queueType,
	"ckpt_list":          field(list, func(i *model.QueueInstance) *[]string { return &i.Checkpoints }),
	"pe_list":            field(list, func(i *model.QueueInstance) *[]string { return &i.PEs }),
	"rerun":              field(boolean, func(i *model.QueueInstance) *bool { return &i.Rerun }),
	"slots":              field(integer, func(i *model.QueueInstance) *int { return &i.Slots }),
	"user_lists":         field(list, func(i *model.QueueInstance) *[]string { return &i.ACL }),
	"xuser_lists":        field(list, func(i *model.QueueInstance) *[]string { return &i.XACL }),
	"subordinate_list":   subordinates,
	"complex_values":     field(settings, func(i *model.QueueInstance) *[]model.Setting { return &i.Capacity }),
	"projects":           field(list, func(i *model.QueueInstance) *[]string { return &i.Projects }),
	"xprojects":          field(list, func(i *model.QueueInstance) *[]string { return &i.XProjects }),
	"calendar":           field(optional, func(i *model.QueueInstance) *string { return &i.Calendar }),
	"initial_state":      field(text, func(i *model.QueueInstance) *string { return &i.InitialState }),

	"s_rt": limit("s_rt"), "h_rt": limit("h_rt"), "s_cpu": limit("s_cpu"), "h_cpu": limit("h_cpu"),
	"s_fsize": limit("s_fsize"), "h_fsize": limit("h_fsize"), "s_data": limit("s_data"), "h_data": limit("h_data"),
	"s_stack": limit("s_stack"), "h_stack": limit("h_stack"), "s_core": limit("s_core"), "h_core": limit("h_core"),
	"s_rss": limit("s_rss"), "h_rss": limit("h_rss"), "s_vmem": limit("s_vmem"), "h_vmem": limit("h_vmem"),

	"priority": nil, "min_cpu_interval": nil, "processors": nil, "tmpdir": nil, "shell": nil, "prolog": nil, "epilog": nil,
	"shell_start_mode": nil, "starter_method": nil, "suspend_method": nil, "resume_method": nil, "terminate_method": nil,
	"notify": nil, "owner_list": nil,
}

func suspendInterval(i *model.QueueInstance, value string) error {
	return interval(&i.SuspendInterval)(value)
}

func queueType(i *model.QueueInstance, value string) error {
	i.Type = strings.Join(members(value), " ")
	return nil
}

// subordinates reads "QUEUE=THRESHOLD,…", or slot-wise "slots=SUM(QUEUE:ORDER:ACTION,…)".
func subordinates(i *model.QueueInstance, value string) error {
	const key = "slots="
	if len(value) < len(key) || !strings.EqualFold(value[:len(key)], key) {
		return queueWise(i, value)
	}
	sum, rest, opened := strings.Cut(value[len(key):], "(")
	inside, after, closed := strings.Cut(rest, ")")
	if !opened || !closed || strings.TrimSpace(after) != "" {
		return fmt.Errorf("%q: %w", value, errSyntax)
	}
	if err := integer(&i.SlotwiseSum)(strings.TrimSpace(sum)); err != nil {
		return err
	}
	for _, word := range words(inside) {
		part := append(strings.SplitN(word, ":", 3), "", "")
		s := model.Subordinate{Queue: part[0], Action: "sr"}
		if part[1] != "" {
			if err := integer(&s.Order)(part[1]); err != nil {
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
			if err := integer(&s.Threshold)(word[at+1:]); err != nil {
				return err
			}
		}
		i.Subordinates = append(i.Subordinates, s)
	}
	return nil
}
