package report

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible makes text of a cluster safe to show. Control and formatting characters become escapes, for example
// characters that change the direction of text. Line breaks become escapes, too.
func visible(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }) < 0 {
		return text
	}
	quoted := strconv.QuoteToGraphic(text)
	return strings.ReplaceAll(strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`), `\\`, `\`)
}

// code shows text of a cluster as a code span of Markdown, so that no character has an effect. Its fence is
// longer than any row of backticks inside (CommonMark, 6.1). A table cannot show a backslash before a bar as
// code; such text is escaped.
func code(text string) string {
	text = visible(text)
	switch {
	case strings.TrimSpace(text) == "":
		return ""
	case strings.Contains(text, `\|`):
		return plain(text)
	}
	fence := strings.Repeat("`", longestRow(text, '`')+1)
	pad := ""
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.HasPrefix(text, " ") &&
		strings.HasSuffix(text, " ") {
		pad = " "
	}
	return fence + pad + text + pad + fence
}

// longestRow returns the length of the longest row of one character in a text.
func longestRow(text string, c rune) (longest int) {
	n := 0
	for _, r := range text {
		if n++; r != c {
			n = 0
		}
		longest = max(longest, n)
	}
	return longest
}

// plain escapes a text for Markdown, so that it shows every letter: no emphasis, link, picture, tag or entity.
// Characters without an effect in their place stay as they are, so that people can read the source.
func plain(text string) string {
	runes := []rune(visible(text))
	at := func(i int) rune {
		if i < 0 || i >= len(runes) {
			return ' '
		}
		return runes[i]
	}
	var b strings.Builder
	for i, r := range runes {
		if special(r, at(i-1), at(i+1)) || i == 0 && strings.ContainsRune("#+-=>*", r) || numbered(runes, i) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// special says whether a character between two others has an effect in GitHub's Markdown.
func special(r, before, after rune) bool {
	switch r {
	case '\\', '`', '[', ']', '~', '$':
		return true
	case '<': // before a blank it begins no tag
		return !unicode.IsSpace(after)
	case '*': // between blanks it is no emphasis
		return !unicode.IsSpace(before) || !unicode.IsSpace(after)
	case '_': // inside of a word it is no emphasis
		return !isWordRune(before) || !isWordRune(after)
	case '&': // an entity
		return after == '#' || unicode.IsLetter(after)
	case '!':
		return after == '['
	case ':': // an address becomes a link
		return after == '/'
	case '.':
		return before == 'w' && !unicode.IsSpace(after)
	case '@':
		return isWordRune(after)
	}
	return false
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// numbered says whether the character ends the number of a list at the beginning of a line: "1." or "1)".
func numbered(runes []rune, i int) bool {
	if i == 0 || runes[i] != '.' && runes[i] != ')' || i+1 < len(runes) && !unicode.IsSpace(runes[i+1]) {
		return false
	}
	for _, r := range runes[:i] {
		if r < '0' || r > '9' {
			return false
		}
	}
	return true
}

// block is a text as a fenced block of code.
func block(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := range lines {
		lines[i] = visible(strings.ReplaceAll(lines[i], "\t", "    "))
	}
	text = strings.Join(lines, breakMark)
	fence := strings.Repeat("`", max(3, longestRow(text, '`')+1))
	return fence + breakMark + text + breakMark + fence
}
