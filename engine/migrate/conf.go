package migrate

import (
	"strconv"
	"strings"

	"qprism/engine/model"
)

// translateConf translates those parts of sge_conf(5) that set limits; tables say what becomes of the others.
func translateConf(t *Translation) {
	for _, l := range []struct{ key, kind, entity string }{
		{"max_u_jobs", "u", "PBS_GENERIC"}, {"max_jobs", "o", "PBS_ALL"}} {
		switch n, ok := t.confNumber(l.key); {
		case ok && n > 0:
			limit := newLimit("max_queued", "", l.kind, l.entity, strconv.FormatInt(n, 10))
			t.tell(global(l.key), "set", "{limit}", t.limitServer(limit))
		case ok:
			t.tell(global(l.key), "no_limit")
		}
	}
	t.arrayLimits()
	t.confAccess()
}

// global is the line of a setting of the global configuration.
func global(key string) place { return place{kind: "conf", object: model.GlobalHost, key: key} }

// confNumber is a number of the global configuration.
func (t *Translation) confNumber(key string) (n int64, ok bool) {
	value, ok := model.Text(t.From.Config.Global, key)
	number, err := model.ParseNumber(value)
	return int64(number), ok && err == nil
}

// mostManyTasks is from how many tasks of an array at a time on a limit is taken for none.
const mostManyTasks = 1000

// arrayLimits limit the tasks of arrays.
func (t *Translation) arrayLimits() {
	const most = 1 << 30
	if n, ok := t.confNumber("max_aj_tasks"); ok {
		if n <= 0 {
			n = most
		}
		size := strconv.FormatInt(min(n, most), 10)
		t.setServer("max_array_size", size)
		t.tell(global("max_aj_tasks"), "set", "{size}", size)
	}
	n, ok := t.confNumber("max_aj_instances")
	number := strconv.FormatInt(n, 10)
	switch {
	case !ok:
	case n <= 0:
		t.tell(global("max_aj_instances"), "no_limit")
	case n >= mostManyTasks:
		t.tell(global("max_aj_instances"), "many", "{n}", number)
	default:
		t.tell(global("max_aj_instances"), "set", "{n}", number)
	}
}

// confAccess lets in whom the whole cluster lets in.
func (t *Translation) confAccess() {
	lists := map[string][]string{}
	for _, key := range []string{"user_lists", "xuser_lists"} {
		value, ok := model.Text(t.From.Config.Global, key)
		if !ok {
			continue
		}
		if lists[key] = words(value); len(lists[key]) == 0 {
			t.tell(global(key), "none")
		}
	}
	users, groups := t.entriesOf(lists["user_lists"])
	notUsers, notGroups := t.entriesOf(lists["xuser_lists"])
	list := acl(users, notUsers)
	for key, names := range lists {
		switch {
		case len(names) == 0:
		case len(groups)+len(notGroups) > 0:
			t.tell(global(key), "groups")
		default:
			t.tell(global(key), "users", "{list}", shortList(list))
		}
	}
	if len(list) > 0 {
		t.setServer("acl_user_enable", "True")
		t.setServer("acl_users", strings.Join(list, ","))
	}
}
