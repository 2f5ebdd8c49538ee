package model

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

// An Identity has facts that distinguish a cluster from others with the same name. An unknown fact is empty.
// Facts are compared as the cluster's host prints them. Two identities without facts are not equal.
type Identity struct {
	System System
	Host   string // the master in the cell's act_qmaster; for PBS the server in pbs.conf
	Root   string // SGE_ROOT; for PBS PBS_HOME
	Cell   string // SGE_CELL; none for PBS
	Port   string // of the master
	// cksum(1) of a file of the installation: the cell's bootstrap; /etc/pbs.conf of the server's host
	Config string
	Made   string // time of the last change of that file, in seconds since 1970
	// Machine is the cksum(1) of /etc/machine-id of the master's host. It is known only on that host.
	Machine string
	// Sequence is the master's last job number, or a slightly older one. It only grows, until it starts
	// again. It helps to distinguish clusters, but is not part of the identity.
	Sequence uint32

	Given string // the name that a user gave the cluster
	Via   string // how the cluster was reached, in words
}

// A Likeness says whether two identities are of one cluster.
type Likeness int

// Two identities are of one cluster, of two clusters, or have too few facts.
const (
	Unsure Likeness = iota
	Same
	Different
)

// facts are those that are told apart by equality, with the words for them. The first are enough to tell
// clusters apart whatever somebody says.
func (i Identity) facts() []fact {
	return []fact{
		{"its system", i.System.Name(), true},
		{"its master", i.Host, true},
		{"its root folder (SGE_ROOT, PBS_HOME)", i.Root, true},
		{"its cell", i.Cell, true},
		{"its port", i.Port, true},
		{"the sum of its master's /etc/machine-id", i.Machine, true},
		{"the sum of the file that its installation wrote (bootstrap, pbs.conf)", i.Config, false},
		{"the time of that file", i.Made, false},
	}
}

// same compares values: of a host the domain can be missing.
func (f fact) same(a, b string) bool {
	if f.words == "its master" {
		a, b = strings.ToLower(a), strings.ToLower(b)
		return a == b || strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".")
	}
	return a == b
}

// A fact has words for people, and a value. One that is firm holds against what somebody says.
type fact struct {
	words, value string
	firm         bool
}

// Compare says whether a cluster is the same cluster as before. If it is another cluster, or if this is
// unclear, why gives the reason.
func (known Identity) Compare(now Identity) (l Likeness, why string) {
	if why := known.differs(now, true); why != "" {
		return Different, why
	}
	if known.Given != "" && now.Given != "" {
		if known.Given != now.Given {
			return Different, fmt.Sprintf("it is called %s, not %s", now.Given, known.Given)
		}
		return Same, ""
	}
	if why := known.differs(now, false); why != "" {
		return Different, why
	}
	if restarted(known.Sequence, now.Sequence) {
		return Different, fmt.Sprintf("its last job number is %d, and it was %d before", now.Sequence, known.Sequence)
	}
	if missing := known.missing(); missing != "" {
		return Unsure, "for the wanted cluster, " + missing + " is not known"
	}
	if missing := now.missing(); missing != "" {
		return Unsure, "for the cluster that the commands reach, " + missing + " is not known"
	}
	if !agree(known.Config, now.Config) && !agree(known.Machine, now.Machine) {
		return Unsure, "no known fact distinguishes them from another cluster of the same name"
	}
	return Same, ""
}

// Apart lists, for each of some clusters, the facts that differ, in words: "its port is 6444".
func Apart(clusters []Identity) [][]string {
	words := make([][]string, len(clusters))
	for i := range (Identity{}).facts() {
		values := map[string]bool{}
		for _, c := range clusters {
			values[c.facts()[i].value] = true
		}
		for k := range clusters {
			if f := clusters[k].facts()[i]; len(values) > 1 && f.value != "" {
				words[k] = append(words[k], f.words+" is "+f.value)
			}
		}
	}
	return words
}

// Facts are the known facts, by key: "host", "root", "port".
func (i Identity) Facts() map[string]string {
	facts := map[string]string{}
	for _, f := range i.keyed() {
		if *f.value != "" {
			facts[f.key] = *f.value
		}
	}
	return facts
}

// differs names the first fact that both have and that is another one.
func (known Identity) differs(now Identity, firm bool) string {
	theirs := now.facts()
	for i, f := range known.facts() {
		if f.firm == firm && f.value != "" && theirs[i].value != "" && !f.same(f.value, theirs[i].value) {
			return fmt.Sprintf("%s is %s, not %s", f.words, theirs[i].value, f.value)
		}
	}
	return ""
}

// missing names the first fact that is not known of those without which a cluster cannot be identified.
func (i Identity) missing() string {
	for _, f := range i.facts()[1:3] {
		if f.value == "" {
			return f.words
		}
	}
	if i.Config == "" && i.Machine == "" {
		return "the identity of its installation"
	}
	return ""
}

func agree(a, b string) bool { return a != "" && a == b }

// lastNumber is the greatest job number of Grid Engine; the next job is number 1.
const lastNumber = 9_999_999

// restarted reports whether job numbers have fallen, other than from the greatest to the least: they count in a circle.
func restarted(was, is uint32) bool {
	return was != 0 && is != 0 && is < was && was-is < lastNumber/2
}

// Known reports whether an identity has any facts besides the system.
func (i Identity) Known() bool { return i.Text() != (Identity{System: i.System}).Text() }

// Text writes an identity as lines "key value"; ParseIdentity reads it.
func (i Identity) Text() string {
	var b strings.Builder
	for _, f := range i.keyed() {
		if *f.value != "" {
			fmt.Fprintf(&b, "%s %s\n", f.key, escaped.Replace(*f.value))
		}
	}
	if i.Sequence != 0 {
		fmt.Fprintf(&b, "sequence %d\n", i.Sequence)
	}
	return b.String()
}

// A value is one line.
var (
	escaped   = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	unescaped = strings.NewReplacer(`\\`, `\`, `\n`, "\n")
)

// A keyed value is a field under its key.
type keyed struct {
	key   string
	value *string
}

func (i *Identity) keyed() []keyed {
	return []keyed{{"system", (*string)(&i.System)}, {"host", &i.Host}, {"root", &i.Root},
		{"cell", &i.Cell}, {"port", &i.Port},
		{"config", &i.Config},
		{"made", &i.Made}, {"machine", &i.Machine}, {"given", &i.Given}, {"via", &i.Via}}
}

// ParseIdentity reads the output of Text.
func ParseIdentity(text string) (i Identity, err error) {
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if err := i.Set(key, unescaped.Replace(value)); err != nil {
			return i, err
		}
	}
	return i, nil
}

// Set sets the fact of a key.
func (i *Identity) Set(key, value string) error {
	if key == "sequence" {
		n, err := strconv.ParseUint(value, 10, 32)
		i.Sequence = uint32(n)
		if err != nil {
			return fmt.Errorf("identity: sequence %q is no job number", value)
		}
		return nil
	}
	for _, f := range i.keyed() {
		if f.key == key {
			*f.value = value
			return nil
		}
	}
	return fmt.Errorf("%w: %q", ErrNoFact, key)
}

// ErrNoFact says that an identity has no such fact; a newer release may have.
var ErrNoFact = errors.New("identity: no such fact")

// SetCaptured sets a fact from a bundle. Facts that only users state cannot come from a bundle.
func (i *Identity) SetCaptured(line string) error {
	key, value, _ := strings.Cut(line, " ")
	if key == "given" || key == "via" {
		return fmt.Errorf("%w: %q", ErrNoFact, key)
	}
	return i.Set(key, value)
}

// LockName is the name of the lock for all users who reach the cluster through one host. Users may call the
// cluster by different names, so the lock does not use them. On one host, root and cell distinguish Grid
// Engine clusters. A host has only one PBS server, whose root and domain are not always known.
func (i Identity) LockName(cluster string) string {
	host, _, _ := strings.Cut(strings.ToLower(i.Host), ".")
	root := i.Root
	switch {
	case i.System != GridEngine && i.System != "" && host != "":
		root = ""
	case root == "":
		return cluster
	}
	return fmt.Sprintf("%s-%s-%08x", host, i.Cell, crc32.ChecksumIEEE([]byte(i.System.Name()+"\n"+root+"\n"+i.Cell)))
}

// Sum is a hash of the facts that do not change, for file names.
func (i Identity) Sum() string {
	i.Sequence, i.Via = 0, ""
	return fmt.Sprintf("%x", sha256.Sum256([]byte(i.Text())))[:12]
}
