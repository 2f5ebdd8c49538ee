package trial

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"qprism/engine/model"
)

// changeShares carries out --shares: on the shares that the policy in force goes by.
func (o *WhatIfOptions) changeShares(s *model.Snapshot, _ io.Writer) (said []string, err error) {
	if !s.HasFunctionalShares() {
		return o.changeNodes(s)
	}
	s.Users, s.Projects, s.Usersets = slices.Clone(s.Users), slices.Clone(s.Projects), slices.Clone(s.Usersets)
	s.ShareTree = cloneTree(s.ShareTree)
	o.Shares = slices.Clone(o.Shares)
	for i, change := range o.Shares {
		words, err := o.changeShare(s, &o.Shares[i])
		if err != nil {
			return nil, fmt.Errorf("--shares %s: %w", change, err)
		}
		said = append(said, words)
	}
	return said, nil
}

// changeNodes carries out --shares on nodes of PBS's fairshare tree, by their names.
func (o *WhatIfOptions) changeNodes(s *model.Snapshot) (said []string, err error) {
	for _, change := range o.Shares {
		_, name, kind := strings.Cut(change, "/")
		if !kind {
			name = change
		}
		name, value, _ := strings.Cut(name, "=")
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("--shares %s: for PBS, give a node of the fairshare tree and its shares: NAME=40", change)
		}
		if !s.GiveNodeShares(name, int32(n)) {
			return nil, fmt.Errorf("--shares %s: the fairshare tree has no node %q", change, name)
		}
		said = append(said, "resource_group: shares of "+name+" "+value)
	}
	return said, nil
}

// changeShare changes the shares of one name. It changes the share tree if the tree gives tickets and has the
// name. Otherwise it changes functional shares, if these give tickets or if nothing does. From then on, the
// text of the change names the kind.
func (o *WhatIfOptions) changeShare(s *model.Snapshot, change *string) (said string, err error) {
	who, value, ok := strings.Cut(*change, "=")
	if !ok {
		return "", errors.New("not kind/name=number")
	}
	kind, name, named := strings.Cut(who, "/")
	if !named {
		if kind, name, err = kindOf(s, who); err != nil {
			return "", err
		}
		*change = kind + "/" + *change
	}
	var nodes []*model.ShareNode
	if s.Policy.ShareTreeTickets > 0 && kind != "department" {
		nodes = nodesNamed(s.ShareTree, name)
	}
	for _, n := range nodes {
		if n.Shares, err = sharesFrom(n.Shares, value); err != nil {
			return "", err
		}
	}
	who = kind + " " + name + " " + strings.TrimPrefix(value, "x")
	if strings.HasPrefix(value, "x") {
		who = kind + " " + name + " × " + value[1:]
	}
	switch {
	case len(nodes) == 0:
		said = "shares of " + who
	case s.Policy.FunctionalTickets == 0:
		o.inTree = append(o.inTree, *change)
		return "share tree: shares of " + who, nil
	default:
		said = "shares of " + who + ", functional and in the share tree"
		o.inBoth = append(o.inBoth, *change)
	}
	if s.Policy.FunctionalTickets == 0 {
		said += " (functional; no effect with weight_tickets_functional 0)"
	}
	return said, setShares(s, kind, name, value)
}

// sharesFrom reads a new number of shares: a number, or a multiple of the present one.
func sharesFrom(now uint32, value string) (uint32, error) {
	if times, ok := strings.CutPrefix(value, "x"); ok {
		f, err := strconv.ParseFloat(times, 64)
		if n := math.Round(f * float64(now)); err == nil && n >= 0 && n <= math.MaxUint32 {
			return uint32(n), nil
		}
		return 0, errors.New("give a number, or x2 for twice as many")
	}
	n, err := strconv.ParseUint(value, 10, 32)
	if err != nil {
		return 0, errors.New("not kind/name=number")
	}
	return uint32(n), nil
}

// kindOf finds out whether a name is a user, project or department.
func kindOf(s *model.Snapshot, name string) (kind, who string, err error) {
	var kinds []string
	if slices.ContainsFunc(s.Users, func(u model.User) bool { return u.Name == name }) {
		kinds = append(kinds, "user")
	}
	if slices.ContainsFunc(s.Projects, func(p model.Project) bool { return p.Name == name }) {
		kinds = append(kinds, "project")
	}
	if slices.ContainsFunc(s.Usersets, func(u model.Userset) bool { return u.Department && u.Name == name }) {
		kinds = append(kinds, "department")
	}
	switch len(kinds) {
	case 0:
		return "", "", fmt.Errorf("there is no user, project or department %q", name)
	case 1:
		return kinds[0], name, nil
	}
	return "", "", fmt.Errorf("which? %s/%s", strings.Join(kinds, "/"+name+" or "), name)
}

// nodesNamed are the nodes of a tree that are called so.
func nodesNamed(n *model.ShareNode, name string) (list []*model.ShareNode) {
	if n == nil {
		return nil
	}
	for _, c := range n.Children {
		if c.Name == name {
			list = append(list, c)
		}
		list = append(list, nodesNamed(c, name)...)
	}
	return list
}

func cloneTree(n *model.ShareNode) *model.ShareNode {
	if n == nil {
		return nil
	}
	own := *n
	own.Children = nil
	for _, c := range n.Children {
		own.Children = append(own.Children, cloneTree(c))
	}
	return &own
}

func setShares(s *model.Snapshot, kind, name, value string) error {
	shares := s.SharesOf(kind, name)
	switch {
	case shares != nil:
	case kind == "user":
		s.Users = append(s.Users, model.User{Name: name})
		shares = s.SharesOf(kind, name)
	case kind == "project" || kind == "department":
		return errors.New("there is no such " + kind)
	default:
		return errors.New("the kind must be user, project or department")
	}
	n, err := sharesFrom(*shares, value)
	if err == nil {
		*shares = n
	}
	return err
}
