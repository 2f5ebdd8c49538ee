package qconf

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/importer/fields"
	"qprism/importer/gridengine/bundle"
)

var (
	errNoBrace = errors.New(`"{" expected`)
	errOpen    = errors.New(`"}" missing`)
	errUnable  = errors.New("not understood")
)

// readQuotas reads rqs/ or rqs.txt, the output of qconf -srqs: sge_resource_quota(5). Braces on separate lines
// enclose each set, so one file can have several.
func readQuotas(c *configReader) error {
	files, err := c.files("rqs")
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, file := range files {
		if err := c.quotas(file, seen); err != nil {
			return err
		}
	}
	return nil
}

func (c *configReader) quotas(file string, seen map[string]bool) error {
	lines, err := c.lines(file)
	if err != nil {
		return err
	}
	lines = slices.DeleteFunc(lines, line.comment)
	for len(lines) > 0 {
		end := slices.IndexFunc(lines, func(l line) bool { return l.text == "}" })
		if lines[0].text != "{" {
			c.LeaveOut(file, lines[0].number, lines[0].text, errNoBrace)
			return nil
		}
		if end < 0 {
			c.LeaveOut(file, lines[0].number, lines[0].text, errOpen)
			return nil
		}
		if err := c.quota(object{file: file, line: lines[0], rest: lines[1:end]}, seen); err != nil {
			return err
		}
		lines = lines[end+1:]
	}
	return nil
}

// quota reads one set line by line, because all its rules have the same key.
func (c *configReader) quota(o object, seen map[string]bool) error {
	var q model.QuotaSet
	rest := o.rest
	o.rest = nil
	for _, l := range rest {
		key, value := l.pair()
		if key != "limit" {
			o.rest = append(o.rest, l)
			continue
		}
		rule, err := parseRule(value)
		if err != nil {
			c.LeaveOut(o.file, l.number, l.text, fmt.Errorf("limit: %w", err))
			return nil
		}
		q.Rules = append(q.Rules, rule)
	}
	if c.fill(o, quotaFields(&q), "name") != nil {
		return nil
	}
	q.Description = unquote(q.Description)
	if seen[q.Name] {
		c.LeaveOut(o.file, o.line.number, q.Name, bundle.ErrAgain)
		return nil
	}
	seen[q.Name] = true
	c.Snap.Quotas = append(c.Snap.Quotas, q)
	return nil
}

func quotaFields(q *model.QuotaSet) fields.Table {
	return fields.Table{
		"name":        fields.Text(&q.Name),
		"description": optional(&q.Description),
		"enabled":     fields.Bool(&q.Enabled),
		"limit":       fields.Unused(fields.Values).As("rule"), // a set has several
	}
}

func unquote(text string) string {
	if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
		return text[1 : len(text)-1]
	}
	return text
}

// parseRule reads "[name NAME] [users FILTER] [projects FILTER] [pes FILTER] [queues FILTER] [hosts FILTER] to LIMITS".
func parseRule(text string) (r model.QuotaRule, err error) {
	filters := map[string]*model.QuotaFilter{
		"users": &r.Users, "projects": &r.Projects, "pes": &r.PEs, "queues": &r.Queues, "hosts": &r.Hosts,
	}
	for {
		var key, value string
		if key, text = cutWord(text); key == "to" {
			break
		}
		value, text = cutFilter(text)
		filter := filters[key]
		switch {
		case key == "":
			return r, fmt.Errorf("to: %w", errMissing)
		case value == "":
			return r, fmt.Errorf("%q: %w", key, errUnable)
		case key == "name":
			r.Name = value
		case filter == nil:
			return r, fmt.Errorf("%q: %w", key, errUnable)
		case filter.Set:
			return r, fmt.Errorf("%s: %w", key, errTwice)
		default:
			if *filter, err = parseFilter(value); err != nil {
				return r, err
			}
		}
	}
	r.Limits = parseSettings(strings.Join(strings.Fields(text), ""), ",")
	for _, l := range r.Limits {
		if l.Name == "" || l.Value == "" {
			return r, fmt.Errorf("%q: %w", l.Name+"="+l.Value, errUnable)
		}
	}
	if len(r.Limits) == 0 {
		return r, errors.New("limits nothing")
	}
	return r, nil
}

func cutWord(text string) (word, rest string) {
	text = strings.TrimLeft(text, blanks)
	if i := strings.IndexAny(text, blanks); i >= 0 {
		return text[:i], strings.TrimLeft(text[i:], blanks)
	}
	return text, ""
}

// cutFilter removes a filter from the front. A filter in braces ends at the closing brace. Any other filter has
// all words that commas join.
func cutFilter(text string) (filter, rest string) {
	if strings.HasPrefix(text, "{") {
		if i := strings.IndexByte(text, '}'); i >= 0 {
			return text[:i+1], text[i+1:]
		}
	}
	filter, rest = cutWord(text)
	for (strings.HasSuffix(filter, ",") || strings.HasPrefix(rest, ",")) && rest != "" {
		var more string
		more, rest = cutWord(rest)
		filter += more
	}
	return filter, rest
}

// parseFilter reads "NAME,!NAME,…" or the same in braces.
func parseFilter(value string) (f model.QuotaFilter, err error) {
	f.Set = true
	inside, opened := strings.CutPrefix(value, "{")
	if opened {
		inside, f.Each = strings.CutSuffix(inside, "}")
	}
	if opened != f.Each || strings.ContainsAny(inside, "{}") {
		return f, fmt.Errorf("%q: braces: %w", value, errSyntax)
	}
	for _, name := range words(inside) {
		if excluded, ok := strings.CutPrefix(name, "!"); ok {
			f.Exclude = append(f.Exclude, excluded)
		} else {
			f.Include = append(f.Include, name)
		}
	}
	if f.Include == nil && f.Exclude == nil {
		return f, fmt.Errorf("%q: %w", value, errUnable)
	}
	return f, nil
}
