package migrate

import (
	"strconv"
	"strings"

	"qprism/engine/model"
)

// translateConf translates those parts of sge_conf(5) that set limits; tables say what becomes of the others.
func translateConf(t *Translation) {
	conf := func(key string) (value string, n int64, ok bool) {
		value, ok = model.Text(t.From.Config.Global, key)
		number, err := model.ParseNumber(value)
		return value, int64(number), ok && err == nil
	}
	for _, l := range []struct{ key, kind, entity string }{{"max_u_jobs", "u", "PBS_GENERIC"},
		{"max_jobs", "o", "PBS_ALL"}} {
		switch _, n, ok := conf(l.key); {
		case ok && n > 0:
			t.sayConf(l.key, Exact, t.limitServer(newLimit("max_queued", "", l.kind, l.entity, strconv.FormatInt(n, 10))), "")
		case ok:
			t.sayConf(l.key, NoEffect, "", "no limit")
		}
	}
	if _, n, ok := conf("max_aj_tasks"); ok {
		size := n
		if size <= 0 {
			size = 1 << 30
		}
		t.setServer("max_array_size", strconv.FormatInt(min(size, 1<<30), 10))
		t.sayConf("max_aj_tasks", Exact, "set server max_array_size = "+strconv.FormatInt(min(size, 1<<30), 10), "")
	}
	if _, n, ok := conf("max_aj_instances"); ok && n > 0 {
		if n >= 1000 {
			t.sayConf("max_aj_instances", NoEffect, "", strconv.FormatInt(n, 10)+
				" tasks of one array at a time are more than run here")
		} else {
			t.sayConf("max_aj_instances", Lost, "", "PBS limits subjobs of an array where its owner says so: qsub -J 1-100%"+
				strconv.FormatInt(n, 10))
		}
	} else if ok {
		t.sayConf("max_aj_instances", NoEffect, "", "no limit")
	}
	t.confAccess()
}

func (t *Translation) sayConf(key string, v Verdict, into, note string) {
	t.say(place{kind: "conf", object: model.GlobalHost, key: key}, v, into, note)
}

// confAccess lets in whom the whole cluster lets in.
func (t *Translation) confAccess() {
	lists := map[string][]string{}
	for _, key := range []string{"user_lists", "xuser_lists"} {
		value, ok := model.Text(t.From.Config.Global, key)
		if !ok {
			continue
		}
		for _, word := range strings.FieldsFunc(value, func(c rune) bool { return strings.ContainsRune(", \t\r", c) }) {
			if !strings.EqualFold(word, "none") {
				lists[key] = append(lists[key], word)
			}
		}
		if len(lists[key]) == 0 {
			t.sayConf(key, NoEffect, "", "none")
		}
	}
	users, groups := t.entriesOf(lists["user_lists"])
	notUsers, notGroups := t.entriesOf(lists["xuser_lists"])
	list := acl(users, notUsers)
	for key, names := range lists {
		switch {
		case len(names) == 0:
		case len(groups)+len(notGroups) > 0:
			t.sayConf(key, Approximate, "set server acl_users",
				"the server has no list of groups: their members have to be added by name")
		default:
			t.sayConf(key, Exact, "set server acl_users = "+shortList(list), "")
		}
	}
	if len(list) > 0 {
		t.setServer("acl_user_enable", "True")
		t.setServer("acl_users", strings.Join(list, ","))
	}
}
