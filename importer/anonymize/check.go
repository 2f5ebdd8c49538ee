package anonymize

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/importer"
)

// formatWords are the words of the file formats: keys, elements and keywords. If the cluster has a name like
// one of them, the word reveals nothing.
var formatWords = wordsOf(standard, keywords, elements, jobValues, named, states, quotaWords,
	complexWords, scheduleWords, profile, options,
	usageNames, shareNames,
	jsonNames, knownFolders, keyWords(), listed("format_words"))

// keyWords returns the keys of configuration files, and the keywords in their values.
func keyWords() map[string]bool {
	all := map[string]bool{}
	for _, table := range keys {
		for key, f := range table {
			maps.Copy(all, set(key, f.Words))
		}
	}
	return all
}

// wordsOf returns the words in identifiers, in lower case.
func wordsOf(sets ...map[string]bool) map[string]bool {
	words := map[string]bool{}
	for _, s := range sets {
		for id := range s {
			addWords(words, id)
		}
	}
	return words
}

func addWords(words map[string]bool, text string) {
	runs(text, inWord, func(word string) string {
		words[strings.ToLower(word)] = true
		return word
	})
}

// isFormat notes that a text belongs to the file format.
func (w *writer) isFormat(text string) { addWords(w.structural, text) }

// leastName is the least number of letters of a name that a check looks for. A shorter name may be in any text.
const leastName = 3

// findName finds a name of the original in a text. It is empty if there is none. A word that is also a
// pseudonym does not count. A number does not count either: a user called 4711 has a pseudonym, and jobs may
// have this number.
func (w *writer) findName(data []byte) (name string) {
	runs(string(data), inWord, func(word string) string {
		lower := strings.ToLower(word)
		if len(word) >= leastName && w.known[lower] && !w.structural[lower] && !w.made[lower] &&
			strings.Trim(word, "0123456789") != "" &&
			!isNumber(word) {
			name = word
		}
		return ""
	})
	return name
}

// dropFilesWithNames leaves out files that still have a name of the original.
func (w *writer) dropFilesWithNames() {
	old := map[string]string{}
	for before, after := range w.names {
		old[after] = before
	}
	w.files = slices.DeleteFunc(w.files, func(f File) bool {
		name := w.findName(append([]byte(f.Name+"\n"), f.Data...))
		if name != "" {
			w.leave(old[f.Name], "", fmt.Sprintf("it still has the name %q in it", name))
			delete(w.names, old[f.Name])
		}
		return name != ""
	})
}

// verify reads the written files, and compares them with the original.
func (w *writer) verify(original *model.Snapshot, files []File) error {
	bundle, err := inMemory(files)
	if err != nil {
		return err
	}
	made, err := w.language.read(bundle)
	if err != nil {
		return fmt.Errorf("what was made cannot be read: %w", err)
	}
	w.full = true
	defer func() { w.full = false }()
	c := comparison{writer: w}
	original, made = arranged(original, w.pbsName), arranged(made, func(name string) string { return name })
	told := *original
	told.Identity, made.Identity = model.Identity{}, model.Identity{} // strangers must not learn which cluster it is
	if !c.same("", reflect.ValueOf(told), reflect.ValueOf(*made)) {
		return fmt.Errorf("what was made does not say the same as the original: %s", c.where)
	}
	return nil
}

// inMemory is a bundle of files.
func inMemory(files []File) (fs.FS, error) {
	all := map[string][]byte{}
	for _, f := range files {
		all[f.Name] = f.Data
	}
	if len(all) < len(files) {
		return nil, errors.New("two files of what was made have one name")
	}
	return importer.InMemory(all)
}

// A comparison compares two snapshots. One of them has pseudonyms.
type comparison struct {
	*writer
	where string // the first difference
}

// ofFiles are fields about the bundle's files, not about the cluster.
var ofFiles = set("Has Missing Unknown LeftOut Note")

func (c *comparison) same(at string, a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.String:
		return c.text(at, a.String(), b.String())
	case reflect.Pointer:
		return a.IsNil() == b.IsNil() && (a.IsNil() || c.same(at, a.Elem(), b.Elem())) || c.differ(at, "one is missing")
	case reflect.Slice:
		if a.Len() != b.Len() {
			return c.differ(at, fmt.Sprintf("%d, and %d in what was made", a.Len(), b.Len()))
		}
		for i := range a.Len() {
			if !c.same(fmt.Sprintf("%s[%d]", at, i), a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		return c.fields(at, a, b)
	case reflect.Float64:
		return math.Float64bits(a.Float()) == math.Float64bits(b.Float()) ||
			c.differ(at, fmt.Sprintf("%v, and %v in what was made", a, b))
	}
	return a.Equal(b) || c.differ(at, fmt.Sprintf("%v, and %v in what was made", a, b))
}

func (c *comparison) fields(at string, a, b reflect.Value) bool {
	if t, ok := a.Interface().(time.Time); ok {
		return t.Equal(b.Interface().(time.Time)) || c.differ(at, "another time")
	}
	for i := range a.NumField() {
		name := a.Type().Field(i).Name
		if at == "" && ofFiles[name] || at == ".PBS" && (name == "Sources" || name == "Repairs") {
			continue
		}
		if !c.same(at+"."+name, a.Field(i), b.Field(i)) {
			return false
		}
	}
	return true
}

// text reports whether a text is the pseudonym of another, in any of the forms in which texts are written.
func (c *comparison) text(at, a, b string) bool {
	return c.language.same(c, a, b) || c.differ(at, fmt.Sprintf("%q, and %q in what was made", a, b))
}

func (c *comparison) textOfGridEngine(a, b string) bool {
	return b == c.Value(a) || b == c.Name(a) || b == c.ValueOf(a, c.structural) || b == c.Free(a) ||
		b == c.message(a) || b == c.category(a) ||
		a == b && c.findName([]byte(a)) == ""
}

func (c *comparison) differ(at, what string) bool {
	if c.where == "" {
		c.where = strings.TrimPrefix(at, ".") + ": " + what
	}
	return false
}
