#!/usr/bin/env python3
"""Draws sixty sentences that people read, for a reader who does not know the project.

Twenty come from help and from the output of commands, twenty from docs, ten from the page and ten from package docs.
The paragraph of a sentence and the end of the one before it stand below the sentence. Give them to a reader. Ask what each one means, and
whether it had to be read twice.
"""
import argparse
import pathlib
import random
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
GENERATED = {"json.md", "programs.md", "documents.md"}
TABLE_LINE = re.compile(r"\S(\s{2,}|\t)\S.*\S(\s{2,}|\t)\S")
ITEM = re.compile(r"\s*([-*|#>]|\d+\.)\s|\s{2,}|\t|\$ ")  # begins a block of its own: an item, a head, a row, a command
LABEL = re.compile(r" *[\w-]+ {2,}(?=\S)")  # a row of a label and its text
CONTEXT = 30  # words of the paragraph before
STRING = re.compile(r"\"((?:[^\"\n\\]|\\.)*)\"|'((?:[^'\n\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`")


def blocks(text, shown=False):
    """Paragraphs and list items. An indented line continues one. What a terminal shows has a paragraph in each line."""
    text = re.sub(r"(?s)```.*?(```|\Z)", "\n\n", text)
    block, listed = [], False
    for line in text.split("\n") + [""]:
        listed = line.startswith("  ") and (listed or bool(block) and block[-1].endswith(":"))
        table = TABLE_LINE.search(line) or listed  # a list is no prose
        label = shown and not table and LABEL.match(line)
        continues = block and re.match(r" {2,}\S", line) and not re.match(r"\s*([-*]|\d+\.) ", line) and not label
        if not line.strip() or table or not continues and (shown or ITEM.match(line)):
            yield " ".join(block)
            block = []
        if line.strip() and not table:
            block.append(line[label.end():] if label else line.strip())
    yield " ".join(block)


def sentences(text, shown=False):
    """Whole sentences of at least five words, without code, tables and heads: each with its paragraph and the one before."""
    before = last = ""
    for block in blocks(text, shown):
        if block:
            before, last = last, block
        if block.startswith(("|", "#", "$", "!", ">")):
            continue
        block = re.sub(r"^([-*]|\d+\.) ", "", block)  # the mark of an item
        for sentence in re.split(r"(?<=[.!?])\s+", block):
            words = len(sentence.split())
            if 5 <= words <= 60 and re.search(r"[a-z]{3}", sentence) and sentence.rstrip("*)").endswith((".", "!", "?")):
                yield sentence, block, before


def texts(*patterns):
    for pattern in patterns:
        for file in sorted(ROOT.glob(pattern)):
            if file.name not in GENERATED and "rules" not in file.parts:
                yield str(file.relative_to(ROOT)), file.read_text()


def commands():
    """Sentences of help and output. Of those that differ only in names and numbers, it takes the first."""
    seen = set()
    for name, text in texts("cmd/qprism/help/*.txt", "cmd/qprism/testdata/golden/**/*.txt"):
        for sentence, block, before in sentences(text, shown=name.startswith("cmd/qprism/testdata")):
            form = re.sub(r"\S*[\d/:]\S*|\b(user|grid|pri)\w\b", "", sentence)
            if form not in seen and not sentence.startswith("Hidden columns"):
                seen.add(form)
                yield name, sentence, block, before


def docs():
    for name, text in texts("README.md", "CONTRIBUTING.md", "docs/**/*.md"):
        yield from ((name, *s) for s in sentences(text))


def page():
    """Whole strings of the page that begin with a capital letter: no templates and no parts of a longer text."""
    for name, text in texts("cmd/qprism/view/assets/*.js"):
        before = last = ""  # what the page shows above
        for found in STRING.finditer(text):
            words = next(s for s in (*found.groups(), "") if s is not None)
            joined = re.search(r"[+`}]\s*$", text[:found.start()]) or re.match(r"\s*[+`]", text[found.end():])
            whole = words == words.strip() and "${" not in words and not joined and words[:1].isupper()
            if whole and len(words.split()) >= 3 and re.fullmatch(r"[\w ,.'?:;()%/–…-]+", words):
                before, last = last, words
                yield name, words, words, before


def packages():
    for name, text in texts("**/doc.go"):
        comment = "\n".join(line.removeprefix("//").removeprefix(" ") for line in text.splitlines() if line.startswith("//"))
        yield from ((name, *s) for s in sentences(comment))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seed", type=int, default=1, help="draws other sentences for another number (default: 1)")
    choose = random.Random(options.parse_args().seed)
    number = 0
    for source, count in ((commands, 20), (docs, 20), (page, 10), (packages, 10)):
        found = sorted(set(source()))
        for name, sentence, block, before in choose.sample(found, min(count, len(found))):
            number += 1
            print(f"{number}. [{name}] {sentence}")
            if before:
                print("    after:", " ".join(before.split()[-CONTEXT:]))
            if block != sentence:
                print("    in:", block)


if __name__ == "__main__":
    main()
