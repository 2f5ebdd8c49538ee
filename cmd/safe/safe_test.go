package safe_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"qprism/cmd/safe"
)

// hostile are characters that a terminal obeys, that nobody sees, or that are no characters, and how people are shown them.
var hostile = map[string]string{
	"\x1b[31m": `\x1b[31m`, "\u009b2J": `\u009b2J`, "\x9b": `\x9b`, "\u202e": `\u202e`, "\u2066": `\u2066`, "\u200b": `\u200b`,
	"\ufeff": `\ufeff`,
	"\u2028": `\u2028`, "\u00ad": `\u00ad`, "\u115f": `\u115f`, "\u3164": `\u3164`, "\ufe0f": `\ufe0f`, "\u00a0": `\u00a0`,
	"\U000e0041": `\U000e0041`,
	"\r":         `\r`, "\a": `\a`, "\x00": `\x00`, "\x7f": `\x7f`, "\xff\xfe": `\xff\xfe`, "\xed\xa0\x80": `\xed\xa0\x80`, "\ue000": `\ue000`,
	"\ufdd0": `\ufdd0`,
}

func TestTextShowsWhatATerminalWouldObeyOrHide(t *testing.T) {
	for text, want := range hostile {
		if got := safe.Text("a" + text + "é"); got != "a"+want+"é" {
			t.Errorf("%q is shown as %s, not as %s", text, got, want)
		}
	}
	for _, text := range []string{"", "plain", "naïve 日本語 ✓", `back\slash`, "\ufffd", "e\u0301"} {
		if got := safe.Text(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestAWriterLetsNothingHostileThroughHoweverItIsCut(t *testing.T) {
	for text, want := range hostile {
		if text == safe.Strong {
			continue // the program's own mark
		}
		for cut := range len(text) + 1 {
			var b bytes.Buffer
			w := safe.NewWriter(&b)
			must(w.Write([]byte("a" + text[:cut])))
			must(w.Write([]byte(text[cut:] + "é\n")))
			if got := b.String(); got != "a"+want+"é\n" {
				t.Errorf("%q cut at %d is written as %q", text, cut, got)
			}
		}
	}
}

func TestACharacterThatNeverEndsIsWrittenWhenTheWriterIsClosed(t *testing.T) {
	var b bytes.Buffer
	w := safe.NewWriter(&b)
	must(w.Write([]byte("a\xe2\x80")))
	if err := w.Close(); err != nil || b.String() != `a\xe2\x80` {
		t.Errorf("%q, %v", b.String(), err)
	}
}

// A screen says that it is a terminal.
type screen struct{ bytes.Buffer }

func (*screen) IsTerminal() bool { return true }

func TestOnlyTheProgramsOwnMarksBecomeSequencesAndOnlyOnATerminal(t *testing.T) {
	const text = safe.Strong + "a" + safe.Plain + "\x1b[1mb"
	var s screen
	must(safe.NewWriter(&s).Write([]byte(text)))
	if got := s.String(); got != "\x1b[1ma\x1b[0m"+`\x1b[1mb` {
		t.Errorf("a terminal gets %q", got)
	}
	var b bytes.Buffer
	must(safe.NewWriter(&b).Write([]byte(text)))
	if got := b.String(); got != `a\x1b[1mb` {
		t.Errorf("a pipe gets %q", got)
	}
}

func TestAnyTextComesOutOfAWriterAsTextWithoutControls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		w := safe.NewWriter(&b)
		for _, part := range rapid.SliceOf(rapid.SliceOf(rapid.Byte())).Draw(t, "parts") {
			must(w.Write(part))
		}
		must(0, w.Close())
		if got := b.String(); safe.Text(got) != strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(got) {
			t.Fatalf("%q", got)
		}
	})
}

func TestACellIsReadBackToTheSameText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOf(rapid.Byte()).Draw(t, "text"))
		if rapid.Bool().Draw(t, "characters") {
			text = rapid.String().Draw(t, "string")
		}
		cell := safe.Cell(text)
		got, err := strconv.Unquote(`"` + strings.ReplaceAll(cell, `"`, `\"`) + `"`)
		if err != nil || got != text || strings.ContainsAny(cell, "\t\n\r") {
			t.Fatalf("%q became %q, which reads as %q, %v", text, cell, got, err)
		}
	})
}

func TestJSONIsReadAsTheSameStringsAndHidesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.String().Draw(t, "text") + "\u202e\u0085\U000e0041\u200b"
		document, err := json.MarshalIndent(map[string]string{"name": want}, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]string
		written := safe.JSON(document)
		if err := json.Unmarshal(written, &got); err != nil || got["name"] != want || !utf8.Valid(written) {
			t.Fatalf("%s: %q, %v", written, got, err)
		}
		if text := strings.ReplaceAll(string(written), "\n", ""); safe.Text(text) != text {
			t.Fatalf("%q", written)
		}
	})
}

func must(_ int, err error) {
	if err != nil {
		panic(err)
	}
}
