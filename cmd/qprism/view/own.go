package view

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"qprism/cmd/qprism/show"
	"qprism/engine/model"
)

// Hide hides the jobs of other users from users who may not see all, like query_other_jobs of PBS.
func (s *Site) Hide(seesAll func(name string) bool) { s.all = seesAll }

// seesAll reports whether who asks sees the jobs of others as well.
func (s *Site) seesAll(r *http.Request) bool { return s.all == nil || s.all(whoAsks(r)) }

// own has the questions for users who see only their own jobs, and the function that removes the rest of an
// answer. Other questions are refused.
var own = map[string]func(*mine, map[string]any){
	"agreement": func(*mine, map[string]any) {}, "queue": (*mine).queue, "shares": (*mine).shares,
	"forecast": (*mine).forecast,
	"why":      (*mine).why, "explain": (*mine).explain, "compare": func(*mine, map[string]any) {},
}

var (
	errNotOwn  = errors.New("this shows the jobs of others, which the configuration hides from you (privacy: own)")
	errNoneOwn = errors.New("none of your jobs has this number (privacy: own)")
)

// toOwn answers who sees their own jobs alone.
func (s *Site) toOwn(ctx context.Context, r *http.Request, c *Cluster, m *Moment, q Endpoint, args []string) (
	*packed, error) {
	leave, known := own[q.Name]
	if !known {
		return nil, &refusal{http.StatusForbidden, errNotOwn.Error()}
	}
	a, err := s.answers(ctx, c.Name, *m)
	if err != nil {
		return nil, err
	}
	who := whoAsks(r)
	my := a.mine(who, m)
	for _, parameter := range q.Jobs {
		if !my.has(r.URL.Query().Get(parameter)) {
			return nil, &refusal{http.StatusForbidden, errNoneOwn.Error()}
		}
	}
	var whole *packed
	if q.own != nil {
		whole, err = q.own(s, ctx, a, c, m)
	} else {
		whole, err = a.command(ctx, "json", args...)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, err
	case err != nil:
		return nil, errors.New(my.hidden(err.Error()))
	}
	return a.of(ctx, fmt.Sprintf("own %q %q", who, args)+q.Name, func() ([]byte, error) {
		var answer map[string]any
		if err := json.NewDecoder(whole.open()).Decode(&answer); err != nil {
			return nil, err
		}
		leave(my, answer)
		return show.Marshal(my.without(answer))
	})
}

// mine says what a user may see of a moment.
type mine struct {
	jobs   map[uint32]bool
	own    map[string]bool // names of oneself and one's jobs
	names  *names
	phrase *strings.Replacer
}

// names are the names of users and of their jobs. Only the owner sees them in an answer.
type names struct {
	words   map[string]bool
	phrases map[string]bool // names that are more than a word
	all     *strings.Replacer
}

// namesIn returns the names in a snapshot.
func namesIn(s *model.Snapshot) *names {
	n := &names{words: map[string]bool{}, phrases: map[string]bool{}}
	for i := range s.Jobs {
		n.add(s.Jobs[i].Names()...)
	}
	for i := range s.Ended {
		e := &s.Ended[i]
		n.add(e.Owner, e.Name, e.Group, e.Account)
	}
	for i := range s.Users {
		n.add(s.Users[i].Name)
	}
	for i := range s.Usersets {
		for _, entry := range s.Usersets[i].Entries {
			n.add(strings.TrimPrefix(entry, "@"))
		}
	}
	n.add(slices.Concat(s.Managers, s.Operators, s.TreeUsers())...)
	n.all = n.replacer(nil)
	return n
}

func (n *names) add(list ...string) {
	for _, name := range list {
		switch {
		case commonNames[name], onlyDigits.MatchString(name):
		case oneWord.MatchString(name):
			n.words[name] = true
		case len(name) > 2:
			n.phrases[name] = true
		}
	}
}

// replacer hides names that are more than a word, but one's own.
func (n *names) replacer(own map[string]bool) *strings.Replacer {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(n.phrases)) {
		if !own[name] {
			pairs = append(pairs, name, hiddenName)
		}
	}
	return strings.NewReplacer(pairs...)
}

// mine returns what a user may see of the moment.
func (a *Answers) mine(who string, m *Moment) *mine {
	s := a.deps.Held[m.heldAs()]
	a.naming.Do(func() { a.names = namesIn(s) })
	my := &mine{jobs: map[uint32]bool{}, own: map[string]bool{who: true}, names: a.names, phrase: a.names.all}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; who != "" && j.Owner == who {
			my.jobs[j.Number] = true
			for _, name := range j.Names() {
				my.own[name] = true
			}
		}
	}
	if slices.ContainsFunc(slices.Collect(maps.Keys(my.own)), func(name string) bool { return a.names.phrases[name] }) {
		my.phrase = a.names.replacer(my.own)
	}
	return my
}

// commonNames are those that say nothing of anybody.
var commonNames = map[string]bool{"": true, "sge": true, "default": true, "NONE": true, "none": true,
	"defaultdepartment": true}

var (
	oneWord    = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)
	words      = regexp.MustCompile(`[A-Za-z0-9_.-]+`)
	onlyDigits = regexp.MustCompile(`^[0-9.:-]+$`)
)

// hiddenName replaces a name.
const hiddenName = "(hidden)"

// hidden is a text without the names of others.
func (my *mine) hidden(text string) string {
	return words.ReplaceAllStringFunc(my.phrase.Replace(text), func(word string) string {
		for _, name := range []string{word, strings.Trim(word, ".-")} {
			if my.names.words[name] && !my.own[name] {
				return hiddenName
			}
		}
		return word
	})
}

// ours are the keys whose values are always words of qprism, never names of jobs.
var ours = map[string]bool{"verdict": true, "kind": true, "level": true, "state": true, "system": true,
	"release": true, "op": true, "columns": true, "number": true, "sorted_by": true, "ending": true}

// without is an answer without the names of others.
func (my *mine) without(v any) any {
	switch v := v.(type) {
	case string:
		return my.hidden(v)
	case []any:
		for i := range v {
			v[i] = my.without(v[i])
		}
	case map[string]any:
		for key, value := range v {
			if !ours[key] {
				v[key] = my.without(value)
			}
		}
	}
	return v
}

// has reports whether a job belongs to the user: 4711, "12[3].server".
func (my *mine) has(job any) bool {
	text := fmt.Sprint(job)
	if n, printed := job.(float64); printed {
		text = strconv.FormatFloat(n, 'f', -1, 64)
	}
	end := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	number, err := strconv.ParseUint(text[:cmp.Or(max(end, 0), len(text))], 10, 32)
	return err == nil && my.jobs[uint32(number)]
}

// queue leaves of the rows of others their state and place.
func (my *mine) queue(q map[string]any) {
	seen := map[string]bool{"state": true, "place": true}
	names, _ := q["columns"].([]any)
	rows, _ := q["rows"].([]any)
	for _, r := range rows {
		row := r.([]any)
		if my.has(row[0]) {
			continue
		}
		for i := range row {
			if name, _ := names[i].(string); seen[name] {
				continue
			}
			switch row[i].(type) {
			case string:
				row[i] = ""
			case bool:
				row[i] = false
			default:
				row[i] = nil
			}
		}
	}
}

// shares leaves nodes out that are of others.
func (my *mine) shares(s map[string]any) {
	s["nodes"] = kept(s["nodes"], func(n map[string]any) bool {
		name, _ := n["node_name"].(string)
		path, _ := n["path"].(string)
		return my.hidden(name) == name && my.hidden(path) == path
	})
}

// forecast leaves one's own jobs.
func (my *mine) forecast(f map[string]any) {
	for _, list := range []string{"starts", "suspended", "never"} {
		f[list] = kept(f[list], func(item map[string]any) bool { return my.has(item["job"]) })
	}
}

// kept returns the items of a list for which hold is true.
func kept(list any, hold func(map[string]any) bool) any {
	items, _ := list.([]any)
	return slices.DeleteFunc(items, func(item any) bool {
		m, is := item.(map[string]any)
		return !is || !hold(m)
	})
}

// why keeps only when the resources of other users become free, and how many jobs come before.
func (my *mine) why(w map[string]any) {
	holders, _ := w["holders"].([]any)
	for _, h := range holders {
		holder := h.(map[string]any)
		if my.has(holder["job"]) {
			continue
		}
		holder["job"], holder["owner"], holder["amount"], holder["free_then"] = nil, "", nil, nil
		delete(holder, "task")
	}
	if ahead, is := w["ahead"].(map[string]any); is {
		w["ahead"] = map[string]any{"jobs": ahead["jobs"], "slot_hours": nil}
	}
	if place, is := w["place"].(map[string]any); is && !my.has(place["next_before"]) {
		delete(place, "next_before")
	}
	delete(w, "suspends")
	if d, is := w["decision"].(map[string]any); is {
		delete(d, "tied")
	}
}

// explain removes the job directly before it.
func (my *mine) explain(e map[string]any) {
	if next, is := e["next_before"].(map[string]any); is && !my.has(next["id"]) {
		e["next_before"] = nil
	}
}
