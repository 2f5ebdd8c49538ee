package ssh

import "strings"

// quote makes one text of an argument vector, which a POSIX shell, and a csh where no word holds a newline or "!", takes apart into
// the same words. It is the one place where anything is quoted for a shell. scripts/qprism-gate reads the same language, and no other.
func quote(argv []string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = quoteWord(word)
	}
	return strings.Join(words, " ")
}

// quoteWord leaves plain words as they are. Within single quotes nothing has a meaning but the single quote.
func quoteWord(word string) string {
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// plain are the bytes that no shell gives a meaning, anywhere in a word. (A "~" or "=" has one at the beginning.)
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+:,./-"
