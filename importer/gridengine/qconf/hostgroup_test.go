package qconf

import (
	"slices"
	"testing"

	"qprism/engine/model"
)

func TestHostGroupsResolveInTheMastersOrder(t *testing.T) {
	g := newGroupResolver([]model.HostGroup{
		{Name: "@in", Members: []string{"h3", "h1"}},
		{Name: "@sub", Members: []string{"h5", "@in"}},
		{Name: "@top", Members: []string{"@sub", "h7", "h2"}},
		{Name: "@slow", Members: []string{"h3", "h4"}},
		{Name: "@a", Members: []string{"@b", "h1"}},
		{Name: "@b", Members: []string{"@a", "h2", "@b"}},
	})
	for name, test := range map[string]struct{ list, want []string }{
		"hosts first, then groups level by level": {[]string{"h8", "@top", "h4", "@slow"},
			[]string{"h8", "h4", "h7", "h2", "h3", "h5", "h1"}},
		"groups in a circle":             {[]string{"@a"}, []string{"h1", "h2"}},
		"a host in any case is one host": {[]string{"H4", "@slow", "h4"}, []string{"H4", "h3"}},
		"a group that does not exist":    {[]string{"@gone", "h1"}, []string{"h1"}},
		"nothing":                        {nil, nil},
	} {
		if got, _, err := g.resolve(test.list); err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, %v; want %q", name, got, err, test.want)
		}
	}
}
