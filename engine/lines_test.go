package engine

import (
	"bytes"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

const longestLine = 140

// TestLinesAreShort: a line has up to 140 characters, unless one text in it is what makes it long: texts are found by searching for them.
func TestLinesAreShort(t *testing.T) {
	seen := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		seen++
		texts := linesWithTexts(text)
		for i, line := range bytes.Split(text, []byte("\n")) {
			if n := utf8.RuneCount(line); n > longestLine && !texts[i+1] {
				t.Errorf("%s:%d: %d characters", path, i+1, n)
			}
		}
		return nil
	})
	if err != nil || seen < 500 {
		t.Errorf("%d files: %v", seen, err)
	}
}

// linesWithTexts are the lines on which a text stands, or begins, that alone fills half a line.
func linesWithTexts(text []byte) map[int]bool {
	lines, files := map[int]bool{}, token.NewFileSet()
	f := files.AddFile("", files.Base(), len(text))
	var s scanner.Scanner
	s.Init(f, text, nil, 0)
	for {
		at, kind, word := s.Scan()
		if kind == token.EOF {
			return lines
		}
		if kind == token.STRING && len(word) > longestLine/2 {
			from := f.Line(at)
			for n := range strings.Count(word, "\n") + 1 {
				lines[from+n] = true
			}
		}
	}
}
