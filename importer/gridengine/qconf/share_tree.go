package qconf

import (
	"errors"
	"fmt"
	"slices"

	"qprism/engine/model"
	"qprism/importer/fields"
	"qprism/importer/gridengine/bundle"
)

// maxShareDepth limits the depth of share trees.
const maxShareDepth = 256

var (
	errDangling = errors.New("no node has this id")
	errParents  = errors.New("a node is the child of two")
	errRoots    = errors.New("a node that is nobody's child, besides the root")
	errCycle    = errors.New("nodes that are below themselves")
	errDeep     = fmt.Errorf("nested deeper than %d", maxShareDepth)
)

// A flatNode is a node of a share tree as printed, with the ids of its children.
type flatNode struct {
	object
	model.ShareNode
	id       string
	children []string
}

// readShareTree reads share_tree.txt, the output of qconf -sstree: share_tree(5). A node has lines "KEY=VALUE"
// from "id" to "childnodes". Nodes come in any order. If there is no tree, qconf fails with "no sharetree
// element".
func readShareTree(c *configReader) error {
	const file = "share_tree.txt"
	lines, err := c.lines(file)
	if err != nil || c.failed[file] || len(lines) == 0 || lines[0].text == "no sharetree element" {
		return err
	}
	nodes, err := c.shareNodes(file, lines)
	if errors.Is(err, errLeftOut) {
		return nil
	}
	if err != nil || len(nodes) == 0 {
		return err
	}
	root, bad, err := linkNodes(nodes)
	if err != nil {
		c.LeaveOut(file, bad.number, bad.text, err)
		return nil
	}
	c.Snap.ShareTree = root
	return nil
}

// shareNodes reads the nodes one by one.
func (c *configReader) shareNodes(file string, lines []line) (nodes []*flatNode, err error) {
	for _, l := range lines {
		if l.comment() {
			continue
		}
		key, value := l.pair()
		switch {
		case key == "id":
			nodes = append(nodes, &flatNode{object: object{file: file, line: l}, id: value})
		case len(nodes) == 0:
			c.LeaveOut(file, l.number, l.text, fmt.Errorf("id: %w", errMissing))
			return nil, errLeftOut
		default:
			n := nodes[len(nodes)-1]
			n.rest = append(n.rest, l)
		}
	}
	for _, n := range nodes {
		if err := c.fill(n.object, nodeFields(n), "name type shares childnodes"); err != nil {
			return nil, err
		}
	}
	return nodes, nil
}

func nodeFields(n *flatNode) fields.Table {
	return fields.Table{
		"id":         fields.Text(&n.id).Holding(fields.Values),
		"name":       fields.Text(&n.Name),
		"type":       fields.Parsed(&n.Project, parseNodeType),
		"shares":     fields.Count(&n.Shares),
		"childnodes": list(&n.children).Holding(fields.Values),
	}
}

// parseNodeType reads 1 for a project, or 0.
func parseNodeType(value string) (project bool, err error) {
	if value != "0" && value != "1" {
		return false, fmt.Errorf("%q: neither 0 nor 1", value)
	}
	return value == "1", nil
}

// linkNodes makes a tree from nodes. If they are not a tree, bad is the line with the error.
func linkNodes(nodes []*flatNode) (root *model.ShareNode, bad line, err error) {
	byID := map[string]*flatNode{}
	for _, n := range nodes {
		if byID[n.id] != nil {
			return nil, n.line, bundle.ErrAgain
		}
		byID[n.id] = n
	}
	parent := map[string]*flatNode{}
	for _, n := range nodes {
		for _, id := range n.children {
			child := byID[id]
			switch {
			case child == nil:
				return nil, n.lineOf("childnodes"), fmt.Errorf("%q: %w", id, errDangling)
			case parent[id] != nil:
				return nil, n.lineOf("childnodes"), fmt.Errorf("%q: %w", id, errParents)
			}
			parent[id] = n
			n.Children = append(n.Children, &child.ShareNode)
		}
	}
	return findRoot(nodes, parent)
}

// findRoot finds the node without a parent. It checks that all other nodes are below it.
func findRoot(nodes []*flatNode, parent map[string]*flatNode) (root *model.ShareNode, bad line, err error) {
	for _, n := range nodes {
		switch {
		case parent[n.id] != nil:
		case root != nil:
			return nil, n.line, errRoots
		default:
			root = &n.ShareNode
		}
	}
	if root == nil {
		return nil, nodes[0].line, errCycle
	}
	below := depths(root)
	for _, n := range nodes {
		if depth, ok := below[&n.ShareNode]; !ok {
			return nil, n.line, errCycle
		} else if depth > maxShareDepth {
			return nil, n.line, errDeep
		}
	}
	return root, line{}, nil
}

// depths returns the depth of each node below the root.
func depths(root *model.ShareNode) map[*model.ShareNode]int {
	depth := map[*model.ShareNode]int{root: 0}
	for open := []*model.ShareNode{root}; len(open) > 0; open = open[1:] {
		for _, child := range open[0].Children {
			depth[child] = depth[open[0]] + 1
			open = append(open, child)
		}
	}
	return depth
}

// lineOf returns a node's line with a key, or its first line.
func (n *flatNode) lineOf(key string) line {
	if i := slices.IndexFunc(n.rest, func(l line) bool { k, _ := l.pair(); return k == key }); i >= 0 {
		return n.rest[i]
	}
	return n.line
}
