package pbsconf

import (
	"fmt"
	"strconv"
	"strings"

	"qprism/engine/model"
)

// A script builds a qmgr script, in the form of qmgr's print commands.
type script struct{ strings.Builder }

// qmgrScript writes everything that qmgr sets. Each object comes before the objects that name it: resources,
// queues, the server's default, nodes, the scheduler. Hooks come last.
func qmgrScript(s *model.Snapshot, hooks []model.PBSHook, head string) []byte {
	var x script
	x.WriteString(head)
	x.title("Create resources and set their properties.")
	for _, r := range s.Resources {
		if !r.BuiltIn {
			x.resource(r)
		}
	}
	x.title("Create queues and set their attributes.")
	for i := range s.Queues {
		x.queue(&s.Queues[i])
	}
	x.title("Set server attributes.")
	for _, a := range s.PBS.Server.Attributes {
		x.set("server", a.Name, a.Value)
	}
	x.title("Create nodes and set their properties.")
	arrays := map[string]bool{}
	for _, r := range s.Resources {
		arrays[r.Name] = r.Type == model.TypePBSStringArray
	}
	for i := range s.Hosts {
		x.node(&s.Hosts[i], arrays)
	}
	x.title("Set scheduler attributes.")
	for _, c := range s.PBS.Schedulers {
		for _, a := range c.Attributes {
			x.set("sched "+c.Name, a.Name, a.Value)
		}
	}
	if len(hooks) > 0 {
		x.title("Create hooks, import their contents and set their attributes.")
	}
	for _, h := range byName(hooks) {
		x.hook(h)
	}
	return []byte(x.String())
}

func (x *script) title(text string) { x.WriteString("#\n# " + text + "\n#\n") }

// set writes a value. A list begins with "=", its other items have "+=".
func (x *script) set(object, name, value string) { x.setAll(object, name, items(name, value)) }

func (x *script) setAll(object, name string, values []string) {
	sign := "="
	for _, item := range values {
		fmt.Fprintf(x, "set %s %s %s %s\n", object, name, sign, quoted(item))
		sign = "+="
	}
}

// lists are the attributes that qmgr sets one item at a time.
var lists = map[string]bool{"managers": true, "operators": true, "acl_users": true, "acl_groups": true,
	"acl_resv_users": true,
	"acl_hosts":      true}

// items splits a value into the parts that qmgr sets one at a time.
func items(name, value string) []string {
	switch {
	case lists[name]:
		return strings.Split(value, ",")
	case strings.HasPrefix(name, "max_run") || strings.HasPrefix(name, "max_queued") ||
		strings.HasPrefix(name, "queued_jobs_threshold"):
		return strings.SplitAfter(strings.ReplaceAll(value, "],[", "]\x00["), "\x00")
	}
	return []string{value}
}

// quoted puts quotes around a value that qmgr would split, at blanks and commas, or that has quotes in it.
func quoted(value string) string {
	value = strings.TrimSuffix(value, "\x00")
	switch {
	case value != "" && !strings.ContainsAny(value, " \t,\"'#="):
		return value
	case strings.HasPrefix(value, "[") && !strings.ContainsAny(value, " \t,\"'#"):
		return value // a limit stays as it is
	case strings.Contains(value, `"`):
		return "'" + value + "'"
	}
	return `"` + value + `"`
}

func (x *script) defined(kind, name string) {
	fmt.Fprintf(x, "#\n# Create and define %s %s\n#\ncreate %s %s\n", kind, name, kind, name)
}

func (x *script) resource(r model.Resource) {
	x.defined("resource", r.Name)
	x.set("resource "+r.Name, "type", string(r.Type))
	if r.Flags != "" {
		x.set("resource "+r.Name, "flag", r.Flags)
	}
}

func (x *script) queue(q *model.Queue) {
	x.defined("queue", q.Name)
	for _, a := range q.Attributes {
		x.set("queue "+q.Name, a.Name, a.Default)
	}
}

// node writes a node. arrays has the resources that are lists.
func (x *script) node(h *model.Host, arrays map[string]bool) {
	x.defined("node", h.Name)
	for _, c := range h.Capacity {
		values := []string{c.Value}
		if arrays[c.Name] {
			values = strings.Split(c.Value, ",")
		}
		x.setAll("node "+h.Name, "resources_available."+c.Name, values)
	}
	if h.PBS != nil && h.PBS.Priority != 0 {
		x.set("node "+h.Name, "Priority", strconv.Itoa(h.PBS.Priority))
	}
}

// hook writes a hook. Its contents are in a separate file beside the script.
func (x *script) hook(h model.PBSHook) {
	x.defined("hook", h.Name)
	fmt.Fprintf(x, "import hook %s application/x-python default %s\n", h.Name, hookFile(h))
	for _, a := range h.Attributes {
		x.set("hook "+h.Name, a.Name, a.Value)
	}
}
