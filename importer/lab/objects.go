package lab

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/importer/gridengine"
)

// folders has the folder of a bundle for each kind of object.
var folders = map[string]string{"queue": "queues", "host": "hosts", "pe": "pes", "user": "users", "project": "projects",
	"department": "usersets", "checkpoint": "ckpts"}

// describe reads a line about the cluster.
func (l *lab) describe(words []string) (err error) {
	if len(words) < 2 {
		return fmt.Errorf("%s lacks a value", words[0])
	}
	name, rest := words[1], words[2:]
	switch kind := words[0]; kind {
	case "release":
		l.release = name
	case "at":
		l.at, err = l.clock(name)
	case "day":
		l.day, err = time.Parse(time.DateOnly, name)
	case "number":
		err = l.nextNumber(name)
	case "hosts":
		for _, host := range words[1:] {
			if strings.Contains(host, "=") {
				return fmt.Errorf("%q is no name of a host; settings stand behind the name of what has "+
					"them: queue all.q slots=4", host)
			}
			l.hosts = append(l.hosts, host)
			l.object("host", host)
		}
	case "set":
		if value := strings.Join(rest, " "); strings.HasPrefix(name, "weight_") && strings.HasPrefix(value, "-") {
			return fmt.Errorf("%s %s: want a number from 0", name, value)
		}
		return l.change("sched_conf.txt", name, strings.Join(rest, " "))
	case "conf":
		return l.change("conf.txt", name, strings.Join(rest, " "))
	case "complex":
		return l.resource(words[1:])
	case "urgency":
		return l.urgency(name, strings.Join(rest, ""))
	case "tree":
		return l.treeLine(words[1:])
	default:
		if kind == "host" && name != "global" && !slices.Contains(l.hosts, name) {
			return fmt.Errorf("there is no host %s; a line before this one makes it: hosts %[1]s", name)
		}
		if folders[kind] == "" {
			return fmt.Errorf("no line begins with %q: there are a time, release, day, at, number, "+
				"hosts, set, conf, complex, urgency, tree, queue, host, pe, "+
				"user, project, department and checkpoint", kind)
		}
		return l.configure(kind, name, rest)
	}
	return err
}

// nextNumber sets the number of the next job. It must be above all numbers before it.
func (l *lab) nextNumber(text string) error {
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || n < uint64(l.next) || n == math.MaxUint32 {
		return fmt.Errorf("number %q: want one from %d", text, l.next)
	}
	l.next = uint32(n)
	return nil
}

// object returns the file of an object. If there is none, it makes a new one.
func (l *lab) object(kind, name string) (file string) {
	file = folders[kind] + "/" + name + ".txt"
	if l.files[file] != nil {
		return file
	}
	text, err := defaults.ReadFile("defaults/" + kind + ".txt")
	if err != nil {
		panic(err) // the file is part of the program
	}
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	key := bytes.Fields(first)[0]
	l.files[file] = append(fmt.Appendf(nil, "%s %s\n", key, name), rest...)
	if kind == "queue" {
		l.plain[file] = true
	}
	return file
}

// configure changes an object by settings KEY=VALUE …
func (l *lab) configure(kind, name string, settings []string) error {
	file := l.object(kind, name)
	for _, s := range settings {
		key, value, ok := strings.Cut(s, "=")
		if !ok {
			return fmt.Errorf("%q: want KEY=VALUE", s)
		}
		if err := l.change(file, key, value); err != nil {
			return err
		}
	}
	return nil
}

// change sets a key of a file to another value.
func (l *lab) change(file, key, value string) error {
	line := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(key) + `[ \t].*(?:\\\n.*)*$`)
	if !line.Match(l.files[file]) {
		meant := ""
		if name := gridengine.PolicyKeyCalled(key); name != "" {
			meant = "; did you mean " + name + "?"
		}
		return fmt.Errorf("%s has no %s%s", file, key, meant)
	}
	l.files[file] = line.ReplaceAllLiteral(l.files[file], []byte(key+" "+value))
	if key == "pe_list" {
		delete(l.plain, file)
	}
	return nil
}

// columnValues are the words for the columns type, relop, requestable and consumable of the complex. An empty
// text accepts any word.
var columnValues = [8]string{2: "INT DOUBLE TIME MEMORY BOOL STRING CSTRING RESTRING HOST RSMAP",
	3: "== != < <= > >= EXCL",
	4: "YES NO FORCED", 5: "YES NO JOB HOST"}

// resource adds or replaces a line of the complex. It has eight columns, as in qconf -mc.
func (l *lab) resource(columns []string) error {
	if len(columns) != 8 {
		return fmt.Errorf("a line of the complex has 8 columns, name to urgency: this has %d", len(columns))
	}
	for i, values := range columnValues {
		if values != "" && !slices.Contains(strings.Fields(values), columns[i]) {
			return fmt.Errorf("complex %s: column %d is one of %s, not %s", columns[0], i+1, values, columns[i])
		}
	}
	line := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(columns[0]) + `[ \t].*\n`)
	l.files["complex.txt"] = append(line.ReplaceAll(l.files["complex.txt"], nil), strings.Join(columns, " ")+"\n"...)
	return nil
}

// urgency changes the urgency of a resource.
func (l *lab) urgency(name, value string) error {
	line := regexp.MustCompile(`(?m)^(` + regexp.QuoteMeta(name) + `[ \t].*?)\S+[ \t]*$`)
	if !line.Match(l.files["complex.txt"]) {
		return fmt.Errorf("the complex has no %s", name)
	}
	if _, err := strconv.ParseFloat(value, 64); err != nil {
		return fmt.Errorf("urgency %s %q: want a number", name, value)
	}
	l.files["complex.txt"] = line.ReplaceAll(l.files["complex.txt"], []byte("${1}"+strings.ReplaceAll(value, "$", "$$")))
	return nil
}
