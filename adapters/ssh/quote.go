package ssh

import "strings"

// quote joins an argument vector to one text that a POSIX shell splits into the same words; so does a csh,
// unless a word holds a newline or "!". Nothing else quotes for a shell. scripts/qprism-gate reads this
// language and no other.
func quote(argv []string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = quoteWord(word)
	}
	return strings.Join(words, " ")
}

// quoteWord leaves plain words alone. Within single quotes only the single quote has a meaning.
func quoteWord(word string) string {
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// plain are the bytes without a meaning to any shell. ("~" and "=" have one at the beginning of a word.)
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+:,./-"
