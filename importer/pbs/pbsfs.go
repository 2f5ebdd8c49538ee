package pbs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"qprism/engine/model"
)

// readFairshare reads output of pbsfs(8B): the whole tree (-p, -t), single entities (-g), comparisons (-c).
func readFairshare(r *reader) error {
	for _, step := range []func(*reader) error{readFairTree, readFairEntities, readFairPairs} {
		if err := step(r); err != nil {
			return err
		}
	}
	r.treeOfListing()
	return nil
}

// treeOfListing uses pbsfs -p if the scheduler's own files are missing. It prints the whole tree, with usage in
// whole numbers.
func (r *reader) treeOfListing() {
	f := &r.pbs.Fairshare
	root := slices.IndexFunc(r.pbs.Fair, func(n model.FairReport) bool { return n.Listed && n.Group == -1 })
	if root < 0 {
		return
	}
	t := listedTree{nodes: r.pbs.Fair, below: map[int32][]int{}}
	for i, n := range r.pbs.Fair {
		t.below[n.Group] = append(t.below[n.Group], i)
	}
	if !r.found("resource_group") {
		f.Listed = true
		t.groups(f, r.pbs.Fair[root].Cresgroup, "root", len(r.pbs.Fair))
	}
	if !r.found("usage") {
		f.Usage = t.usage()
	}
	if i := slices.IndexFunc(r.pbs.Fair, isUnknown); i >= 0 && !r.found("sched_config") {
		f.Policy.UnknownShares = r.pbs.Fair[i].Shares
	}
}

func (r *reader) found(part string) bool {
	_, found := model.Text(r.pbs.Sources, part)
	return found
}

// isUnknown recognizes the group of entities that are not in resource_group. The scheduler makes this group.
func isUnknown(n model.FairReport) bool { return n.Name == "unknown" }

// A listedTree has the nodes of pbsfs -p, by group.
type listedTree struct {
	nodes []model.FairReport
	below map[int32][]int
}

// groups adds the children of a group as lines of resource_group. pbsfs prints the last line of the file first.
func (t *listedTree) groups(f *model.Fairshare, group int32, parent string, depth int) {
	for _, i := range slices.Backward(t.below[group]) {
		n := &t.nodes[i]
		if isUnknown(*n) {
			continue
		}
		f.Groups = append(f.Groups, model.ResourceGroup{Name: n.Name, Group: n.Cresgroup, Parent: parent, Shares: n.Shares})
		if depth > 0 { // a damaged listing may have a circle
			t.groups(f, n.Cresgroup, n.Name, depth-1)
		}
	}
}

// usage returns the usage of leaves as records of the usage file, without the 1 that each leaf begins with.
func (t *listedTree) usage() (u model.FairshareUsage) {
	for _, n := range t.nodes {
		if len(t.below[n.Cresgroup]) == 0 && n.Usage > 1 {
			u.Version = 2
			u.Records = append(u.Records, model.EntityUsage{Name: n.Name, Usage: n.Usage})
		}
	}
	return u
}

// readFairTree reads pbsfs -p, and the depth of each node from pbsfs -t. Names are unique.
func readFairTree(r *reader) error {
	const tree = "pbsfs_t.txt"
	file := r.choose("pbsfs")
	nodes, err := r.fairNodes(file)
	r.pbs.Fair = nodes
	if err != nil || file == "" || file == tree || !r.has(tree) {
		return err
	}
	deep, err := r.fairNodes(tree)
	r.files[tree] = true
	depth := map[string]int{}
	for _, n := range deep {
		depth[n.Name] = n.Depth
	}
	for i := range nodes {
		nodes[i].Depth = depth[nodes[i].Name]
	}
	return err
}

func (r *reader) has(file string) bool {
	info, err := fs.Stat(r.Bundle, file)
	return err == nil && !info.IsDir() && info.Size() > 0
}

// fairNodes reads lines of pbsfs -p, "name  : Grp: 11  cgrp: 15  Shares: 40 …", or -t, "   name(15)".
func (r *reader) fairNodes(file string) (nodes []model.FairReport, err error) {
	err = r.EachLine(file, func(number int, text []byte) error {
		line := string(text)
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "Fairshare usage units are in:") {
			return nil
		}
		node, err := parseFairLine(line)
		if err != nil {
			return r.Problem(file, number, line, err)
		}
		nodes = append(nodes, node)
		return nil
	})
	return nodes, err
}

var errFairLine = errors.New("no node of a fairshare tree")

func parseFairLine(line string) (n model.FairReport, err error) {
	name, rest, ok := strings.Cut(line, ": Grp:")
	if !ok {
		return parseTreeLine(line)
	}
	n.Name, n.Listed = strings.TrimRight(name, " "), true
	var group, cresgroup, shares float64
	for _, p := range []struct {
		label string
		into  *float64
	}{{"", &group}, {"cgrp:", &cresgroup}, {"Shares:", &shares}, {"Usage:", &n.Usage}, {"Perc:", &n.Percent}} {
		rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " "), p.label)
		rest = strings.TrimLeft(rest, " ")
		v, behind := model.CutNumber(rest)
		if !ok || len(behind) == len(rest) {
			return n, fmt.Errorf("%w: %q missing", errFairLine, p.label)
		}
		*p.into, rest = v, behind
	}
	n.Group, n.Cresgroup, n.Shares = int32(group), int32(cresgroup), int32(shares)
	return n, nil
}

// parseTreeLine reads a line of pbsfs -t. A node has five blanks more than its parent; the root has one.
func parseTreeLine(line string) (n model.FairReport, err error) {
	text := strings.TrimLeft(line, " ")
	i := strings.LastIndexByte(text, '(')
	if i < 0 || !strings.HasSuffix(text, ")") {
		return n, errFairLine
	}
	group, err := cInt(text[i+1 : len(text)-1])
	if err != nil {
		return n, errFairLine
	}
	n.Name, n.Cresgroup, n.Depth = text[:i], group, (len(line)-len(text))/5
	return n, nil
}

// readFairEntities reads the files of pbsfs -g, one for each entity.
func readFairEntities(r *reader) error {
	files, err := fs.Glob(r.Bundle, "pbsfs_g_*.txt")
	if err != nil {
		return err
	}
	for _, file := range files {
		e := entityReader{FairEntity: model.FairEntity{TreeUsage: noAmount, UsagePerPerc: noAmount}}
		if err := r.EachLine(file, func(number int, text []byte) error {
			if err := e.line(string(text)); err != nil {
				return r.Problem(file, number, string(text), err)
			}
			return nil
		}); err != nil {
			return err
		}
		r.files[file] = true
		if e.Name != "" {
			r.pbs.FairEntities = append(r.pbs.FairEntities, e.FairEntity)
		}
	}
	return nil
}

// An entityReader reads the output of pbsfs -g. A colon, with tabs or blanks around it, separates label and
// value.
type entityReader struct {
	model.FairEntity
	path bool // the next lines are the path
}

func (e *entityReader) line(line string) error {
	if strings.TrimSpace(line) == "" || strings.HasSuffix(line, "does not exist.") {
		return nil
	}
	i := strings.IndexByte(line, ':')
	if e.path {
		i = strings.LastIndexByte(line, ':')
	}
	if i < 0 {
		return errFairLine
	}
	label, value := strings.TrimSpace(line[:i]), strings.TrimSpace(line[i+1:])
	if e.path {
		return e.step(label, value)
	}
	e.Lines = append(e.Lines, model.Setting{Name: label, Value: value})
	return e.value(label, value)
}

// value reads the value of a label.
func (e *entityReader) value(label, value string) (err error) {
	switch strings.ToLower(label) {
	case "fairshare entity":
		e.Name = value
	case "resgroup":
		e.Group, err = cInt(value)
	case "cresgroup":
		e.Cresgroup, err = cInt(value)
	case "shares":
		e.Shares, err = cInt(value)
	case "percentage":
		e.Percentage, err = printedNumber(strings.TrimSuffix(value, "%"))
	case "fairshare_tree_usage":
		e.TreeUsage, err = printedNumber(value)
	case "usage":
		number, unit, _ := strings.Cut(value, " ")
		e.Unit = strings.TrimSuffix(strings.TrimPrefix(unit, "("), ")")
		e.Usage, err = printedNumber(number)
	case "usage/perc":
		e.UsagePerPerc, err = printedNumber(value)
	case "path from root":
		e.path = true
	}
	return err
}

// step reads "scott     :    15       1000 / 0.240 = 4167".
func (e *entityReader) step(name, value string) error {
	words := strings.Fields(value)
	if len(words) != 6 || words[2] != "/" || words[4] != "=" {
		return errFairLine
	}
	s := model.FairStep{Name: name}
	var errs [4]error
	s.Cresgroup, errs[0] = cInt(words[0])
	s.Usage, errs[1] = printedNumber(words[1])
	s.Percentage, errs[2] = printedNumber(words[3])
	s.Quotient, errs[3] = printedNumber(words[5])
	e.Path = append(e.Path, s)
	return errors.Join(errs[:]...)
}

// printedNumber reads a number that C's printf wrote.
func printedNumber(text string) (float64, error) {
	if text == "-nan" {
		return math.NaN(), nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return v, errSyntax
	}
	return v, nil
}

// readFairPairs reads pbsfs_c.json: pairs of entities, each with the output of "pbsfs -c a b".
func readFairPairs(r *reader) error {
	const file = "pbsfs_c.json"
	text, err := r.ReadAll(file, maxConfig)
	if err != nil || text == nil {
		return err
	}
	r.files[file] = true
	var pairs []struct{ A, B, Out string }
	if err := json.Unmarshal(text, &pairs); err != nil {
		return r.Problem(file, 0, "", err)
	}
	for _, p := range pairs {
		c := model.FairComparison{A: p.A, B: p.B, Winner: strings.TrimSpace(p.Out)}
		if strings.Contains(c.Winner, " == ") {
			c.Winner = ""
		}
		r.pbs.FairPairs = append(r.pbs.FairPairs, c)
	}
	return nil
}
