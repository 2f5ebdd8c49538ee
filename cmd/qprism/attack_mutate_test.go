package main

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A mutation is a bundle after random changes. The same number makes the same changes of the same bundle.
type mutation struct {
	from  string
	files map[string][]byte
	whole wholeBundle // as it was
	done  []string    // what was changed, for a report
	*rand.Rand
}

// mutations are what a mutation does, each as likely as the others.
var mutations = []func(*mutation) string{
	(*mutation).flipBytes, (*mutation).dropLines, (*mutation).repeatLines, (*mutation).swapLines, (*mutation).replaceNumber,
	(*mutation).replaceNumber,
	(*mutation).replaceNumber, (*mutation).replaceField, (*mutation).replaceField, (*mutation).replaceEverywhere, (*mutation).breakTag,
	(*mutation).truncate,
	(*mutation).hostileText, (*mutation).hostileText, (*mutation).otherEncoding, (*mutation).swapFiles, (*mutation).dropFile,
	(*mutation).renameFile, (*mutation).emptyFile,
}

// mutate changes one bundle, in one to six ways.
func mutate(bundles []wholeBundle, number uint64) *mutation {
	r := rand.New(rand.NewPCG(number, 12))
	b := bundles[r.IntN(len(bundles))]
	m := &mutation{from: b.name, files: maps.Clone(b.files), whole: b, Rand: r}
	for range 1 + r.IntN(6) {
		change := mutations[r.IntN(len(mutations))]
		if said := change(m); said != "" {
			m.done = append(m.done, said)
		}
	}
	m.mix(bundles)
	return m
}

// mix puts files of another bundle in the place of some, for every fourth mutation.
func (m *mutation) mix(bundles []wholeBundle) {
	if m.IntN(4) != 0 {
		return
	}
	other := bundles[m.IntN(len(bundles))]
	for _, name := range slices.Sorted(maps.Keys(other.files)) {
		if _, have := m.files[name]; have && m.IntN(4) == 0 {
			m.files[name] = other.files[name]
			m.done = append(m.done, name+" of "+other.name)
		}
	}
}

// write puts the bundle into a folder, with the one that it was, and the numbers of its jobs.
func (m *mutation) write(t *testing.T, folder string) {
	t.Helper()
	for at, files := range map[string]map[string][]byte{"bundle": m.files, "whole": m.whole.files} {
		for name, text := range files {
			file := filepath.Join(folder, at, name)
			must(t, os.MkdirAll(filepath.Dir(file), 0o755))
			must(t, os.WriteFile(file, text, 0o644))
		}
	}
	var jobs []string
	for _, pattern := range []*regexp.Regexp{regexp.MustCompile(`<JB_job_number>(\d+)<`),
		regexp.MustCompile(`"(\d+)(?:\[\])?\.[\w.-]+":\s*\{`)} {
		for _, found := range pattern.FindAllSubmatch(slices.Concat(m.whole.files["qstat.xml"], m.whole.files["qstat_f.json"]), 200) {
			jobs = append(jobs, string(found[1]))
		}
	}
	must(t, os.WriteFile(filepath.Join(folder, "jobs"), []byte(strings.Join(jobs, " ")), 0o644))
}

// file chooses a file: half of the time one that most commands stand on.
func (m *mutation) file() string {
	names := slices.Sorted(maps.Keys(m.files))
	if m.IntN(2) == 0 {
		main := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			return !strings.HasPrefix(name, "qstat") && !strings.Contains(name, "sched") && !strings.HasPrefix(name, "qhost") &&
				!strings.HasPrefix(name, "pbsnodes")
		})
		if len(main) > 0 {
			names = main
		}
	}
	if len(names) == 0 {
		m.files["qstat.xml"] = []byte("<job_info/>")
		return "qstat.xml"
	}
	return names[m.IntN(len(names))]
}

// set replaces a part of a file.
func (m *mutation) set(name string, from, to int, text string) {
	old := m.files[name]
	m.files[name] = slices.Concat(old[:from], []byte(text), old[to:])
}

func (m *mutation) flipBytes() string {
	name := m.file()
	text := bytes.Clone(m.files[name])
	for range 1 + m.IntN(8) {
		if len(text) > 0 {
			text[m.IntN(len(text))] = byte(m.IntN(256))
		}
	}
	m.files[name] = text
	return "bytes of " + name
}

// lines gives the lines of a file to a change.
func (m *mutation) lines(what string, change func([][]byte) [][]byte) string {
	name := m.file()
	lines := bytes.SplitAfter(m.files[name], []byte("\n"))
	m.files[name] = bytes.Join(change(slices.Clone(lines)), nil)
	return what + " of " + name
}

// span is a place and an end in a list.
func (m *mutation) span(length, most int) (from, to int) {
	from = m.IntN(length)
	return from, min(length, from+1+m.IntN(most))
}

func (m *mutation) dropLines() string {
	return m.lines("lines dropped", func(l [][]byte) [][]byte {
		from, to := m.span(len(l), 5)
		return slices.Delete(l, from, to)
	})
}

func (m *mutation) repeatLines() string {
	return m.lines("lines repeated", func(l [][]byte) [][]byte {
		from, to := m.span(len(l), 40)
		return slices.Insert(l, m.IntN(len(l)+1), slices.Clone(l[from:to])...)
	})
}

func (m *mutation) swapLines() string {
	return m.lines("lines swapped", func(l [][]byte) [][]byte {
		i, j := m.IntN(len(l)), m.IntN(len(l))
		l[i], l[j] = l[j], l[i]
		return l
	})
}

var (
	anyNumber = regexp.MustCompile(`-?\d+(\.\d+)?([eE][-+]?\d+)?`)
	anyField  = regexp.MustCompile(`>[^<>\n]+<|": ?"?[^",\n]+|(?m)^\w+ +\S.*$|[^\s,=:]+=[^\s,:]+`)
	anyWord   = regexp.MustCompile(`[A-Za-z_][\w.@-]{2,}`)
	anyTag    = regexp.MustCompile(`</?\w+[^>]*>|[{}\[\]]`)
)

var hugeNumbers = []string{"9223372036854775807", "-9223372036854775808", "18446744073709551616", "4294967295", "4294967296", "2147483647",
	"1000000000", "1e308", "-1e308", "1e400",
	"1e-320", "NaN", "nan", "Inf", "-Inf", "infinity", "INFINITY", "", "0", "-0", "-1", "1", "0.5", "0x7fffffff", "1-1000000000:1",
	"1-4294967295", "99999999999999999999999999", "1:2:3:4:5", "::", "5kb",
	"16777216t", "-5g", "2,3,4", "TRUE", "none", "NONE", "١٢"}

func (m *mutation) oneOf(list []string) string { return list[m.IntN(len(list))] }

func (m *mutation) replaceNumber() string {
	name, with := m.file(), m.oneOf(hugeNumbers)
	return m.replace(name, anyNumber, "number", with)
}

func (m *mutation) replaceField() string {
	name := m.file()
	at := anyField.FindAllIndex(m.files[name], -1)
	if len(at) == 0 {
		return ""
	}
	place := at[m.IntN(len(at))]
	old := string(m.files[name][place[0]:place[1]])
	with := m.oneOf(append([]string{evil, "=1+1", "-", "+", "@", strings.Repeat("a", 5000), "a b", "../../etc", "1-1000000000",
		"1000000000:ncpus=1", "9999999:ncpus=9999999:mem=1eb"}, hugeNumbers...))
	var text string
	switch {
	case strings.HasPrefix(old, ">"):
		text = ">" + with + "<"
	case strings.HasPrefix(old, `"`):
		text = `": "` + with
	case strings.Contains(old, "="):
		text = old[:strings.Index(old, "=")+1] + with
	default:
		text = old[:strings.Index(old+" ", " ")] + " " + with
	}
	m.set(name, place[0], place[1], text)
	return fmt.Sprintf("%.60q for %.60q in %s", text, old, name)
}

// replaceEverywhere replaces all occurrences of a word in all files, as another name would.
func (m *mutation) replaceEverywhere() string {
	name := m.file()
	words := anyWord.FindAll(m.files[name], -1)
	if len(words) == 0 {
		return ""
	}
	word, with := words[m.IntN(len(words))], m.oneOf([]string{evil, "\u202eab", "=1+1", "\u200b", "a\tb", "日本", "", "NONE", "all", "*", "x,y",
		"a=b", "@", "%n%s"})
	for other, text := range m.files {
		m.files[other] = bytes.ReplaceAll(text, word, []byte(with))
	}
	return fmt.Sprintf("%q for every %q", with, word)
}

func (m *mutation) replace(name string, what *regexp.Regexp, kind, with string) string {
	at := what.FindAllIndex(m.files[name], -1)
	if len(at) == 0 {
		return ""
	}
	place := at[m.IntN(len(at))]
	line := 1 + bytes.Count(m.files[name][:place[0]], []byte("\n"))
	old := string(m.files[name][place[0]:place[1]])
	m.set(name, place[0], place[1], with)
	return fmt.Sprintf("%s %.40q for %.40q in %s:%d", kind, with, old, name, line)
}

func (m *mutation) breakTag() string {
	return m.replace(m.file(), anyTag, "tag", m.oneOf([]string{"", "<", ">", "<a>", "</a>", "<!DOCTYPE x [<!ENTITY e \"e\">]>&e;", "<![CDATA[",
		"]]>", "<!--", "&#0;", "&#x9b;", "&#x202e;", "{", "}", "[", "]]", "<" + evil + ">"}))
}

func (m *mutation) truncate() string {
	name := m.file()
	m.files[name] = m.files[name][:m.IntN(len(m.files[name])+1)]
	return name + " cut off"
}

func (m *mutation) hostileText() string {
	name := m.file()
	at := m.IntN(len(m.files[name]) + 1)
	with := m.oneOf([]string{evil, "\u202e", "\u2066", "\x1b[2J", "\u009b2J", "\x00", "\ufeff", "\r", "\xc3", "\u2028", "&#27;", "&#155;",
		"&#8238;", `\u001b`, `\u202e`})
	m.set(name, at, at, with)
	return fmt.Sprintf("%q in %s", with, name)
}

func (m *mutation) otherEncoding() string {
	name := m.file()
	var b bytes.Buffer
	switch kind := m.IntN(3); kind {
	case 0: // UTF-16
		for _, c := range m.files[name] {
			b.Write([]byte{0, c})
		}
	case 1: // a mark of the byte order
		b.WriteString("\ufeff")
		b.Write(m.files[name])
	default: // lines of Windows
		b.Write(bytes.ReplaceAll(m.files[name], []byte("\n"), []byte("\r\n")))
	}
	m.files[name] = b.Bytes()
	return name + " in another encoding"
}

func (m *mutation) swapFiles() string {
	a, b := m.file(), m.file()
	m.files[a], m.files[b] = m.files[b], m.files[a]
	return a + " for " + b
}

func (m *mutation) dropFile() string {
	name := m.file()
	delete(m.files, name)
	return "no " + name
}

func (m *mutation) renameFile() string {
	name := m.file()
	text := m.files[name]
	if m.IntN(2) == 0 {
		delete(m.files, name)
	}
	other := filepath.Join(filepath.Dir(name), strings.ReplaceAll(m.oneOf([]string{evil, "\u202ex", "a\nb", "%zz", "=1"}), "/", ""))
	m.files[other] = text
	return fmt.Sprintf("%s as %q", name, other)
}

func (m *mutation) emptyFile() string {
	name := m.file()
	m.files[name] = nil
	return "nothing in " + name
}
