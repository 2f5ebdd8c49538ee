package ssh

import "strings"

// quote joins an argument vector to one text that a POSIX shell splits into the same words. A csh does so, too,
// unless a word has a newline or "!". All quoting for shells uses this function. scripts/qprism-gate reads this
// form and no other.
func quote(argv []string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = quoteWord(word)
	}
	return strings.Join(words, " ")
}

// quoteWord does not change plain words. Within single quotes, only the single quote has a meaning.
func quoteWord(word string) string {
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// plain has the bytes without a meaning to any shell. ("~" and "=" have a meaning at the beginning of a word.)
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+:,./-"
