package anonymize

import (
	"bufio"
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// KeySize is the number of bytes of a dictionary's key.
const KeySize = 32

// A Dictionary always gives the same pseudonym to the same word. A letter becomes two letters and a digit
// becomes two digits. The key and the letters before it decide which. So pseudonyms sort like their words. If
// words have a common beginning, so do their pseudonyms, and a cut word has a cut pseudonym. Only letters
// outside ASCII have no order. Between two neighbors, enough pairs stay free for all letters that may come
// between them.
type Dictionary struct {
	key   []byte
	root  node
	words []string // in the order of arrival, which decides their places
	known map[string]bool
	made  map[string]bool // pseudonyms, in lower case

	resources map[string]string // pseudonyms of the site's own resources
	standard  map[string]bool   // identifiers that every cluster of the system has: they do not change
	inOrder   []string          // resources that every cluster has

	full bool // accepts no more words; new words have no pseudonym
}

// A node has the letters that can follow a beginning of words.
type node struct{ next []*branch }

// A branch is a letter that follows, and its pseudonym.
type branch struct {
	letter rune
	place  int    // among the pairs of its alphabet
	text   string // the pair
	node
}

// NewDictionary makes an empty dictionary with a key. The key should be random: anyone who knows it can guess
// words.
func NewDictionary(key []byte) *Dictionary {
	return &Dictionary{key: slices.Clone(key), known: map[string]bool{}, made: map[string]bool{},
		resources: map[string]string{},
		standard:  standard, inOrder: inOrder}
}

// header is the start of a dictionary file.
const header = "qprism anonymize 1 "

// ReadDictionary reads a file that Write wrote.
func ReadDictionary(r io.Reader) (*Dictionary, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	if !lines.Scan() {
		return nil, cmp.Or(lines.Err(), errors.New("line 1: empty; an anonymize key begins with "+header))
	}
	text, ok := strings.CutPrefix(lines.Text(), header)
	key, err := hex.DecodeString(text)
	if !ok || err != nil || len(key) != KeySize {
		return nil, fmt.Errorf("line 1: not %q and %d hexadecimal digits", header, 2*KeySize)
	}
	d := NewDictionary(key)
	for n := 2; lines.Scan(); n++ {
		if w := lines.Text(); !isWord(w) || w != strings.ToLower(w) || d.known[w] {
			return nil, fmt.Errorf("line %d: %q: not a new word in lower case", n, w)
		}
		d.Word(lines.Text())
	}
	return d, lines.Err()
}

// Write writes the key and the words, one a line.
func (d *Dictionary) Write(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s%x\n%s", header, d.key, strings.Join(append(slices.Clone(d.words), ""), "\n"))
	return err
}

// Word returns the pseudonym of a word: letters and digits. Capital letters stay capital.
func (d *Dictionary) Word(word string) string {
	lower := strings.ToLower(word)
	if utf8.RuneCountInString(lower) != utf8.RuneCountInString(word) || !utf8.ValidString(word) {
		word = strings.ToLower(strings.ToValidUTF8(word, "\uFFFD"))
		lower = word
	}
	if d.full && !d.known[lower] {
		return "?"
	}
	var b strings.Builder
	n := &d.root
	place := 0
	letters := []rune(word)
	for i, r := range lower {
		br := d.branch(n, r, lower[:i])
		if letters[place] != r {
			b.WriteString(strings.ToUpper(br.text))
		} else {
			b.WriteString(br.text)
		}
		place++
		n = &br.node
	}
	if !d.known[lower] {
		d.known[lower] = true
		d.words = append(d.words, lower)
		d.made[strings.ToLower(b.String())] = true
	}
	return b.String()
}

// branch returns the branch for a letter. If there is none, branch makes it.
func (d *Dictionary) branch(n *node, r rune, before string) *branch {
	i, ok := slices.BinarySearchFunc(n.next, r, func(b *branch, r rune) int { return cmp.Compare(b.letter, r) })
	if !ok {
		n.next = slices.Insert(n.next, i, d.place(n, i, r, before))
	}
	return n.next[i]
}

// An alphabet is a class of letters that replace each other.
type alphabet struct {
	first rune
	size  int
}

var latin, digits = alphabet{'a', 26}, alphabet{'0', 10}

func (a alphabet) has(r rune) bool { return a.first <= r && r < a.first+rune(a.size) }

func (a alphabet) pair(place int) string {
	return string([]rune{a.first + rune(place/a.size), a.first + rune(place%a.size)})
}

// place makes a branch for a letter that would be the i-th of a node.
func (d *Dictionary) place(n *node, i int, r rune, before string) *branch {
	for _, a := range []alphabet{latin, digits} {
		if a.has(r) {
			place := d.between(n, a, i, r, before)
			return &branch{letter: r, place: place, text: a.pair(place)}
		}
	}
	for again := 0; ; again++ {
		text := cyrillic(d.number(before+string(r), again))
		if !slices.ContainsFunc(n.next, func(b *branch) bool { return b.text == text }) {
			return &branch{letter: r, text: text}
		}
	}
}

// between chooses a place between the places of the neighbors, by the key. It leaves room for every letter
// between them.
func (d *Dictionary) between(n *node, a alphabet, i int, r rune, before string) int {
	least, most := int(r-a.first), a.size*a.size-a.size+int(r-a.first)
	if i > 0 && a.has(n.next[i-1].letter) {
		least = n.next[i-1].place + int(r-n.next[i-1].letter)
	}
	if i < len(n.next) && a.has(n.next[i].letter) {
		most = n.next[i].place - int(n.next[i].letter-r)
	}
	return least + int(d.number(before+string(r), 0)%uint64(most-least+1))
}

// number computes a number that depends on the key. Without the key nobody can compute it.
func (d *Dictionary) number(text string, again int) uint64 {
	mac := hmac.New(sha256.New, d.key)
	fmt.Fprintf(mac, "%d %s", again, text)
	return binary.BigEndian.Uint64(mac.Sum(nil))
}

// cyrillic returns three small Cyrillic letters.
func cyrillic(n uint64) string {
	const first, size = 'а', 32
	return string([]rune{first + rune(n%size), first + rune(n/size%size), first + rune(n/size/size%size)})
}
