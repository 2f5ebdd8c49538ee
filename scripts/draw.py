#!/usr/bin/env python3
"""draw.py SEED: draws sixty sentences that people read, for readers who do not know the project.

Twenty are of help and output of commands, twenty of docs, ten of the page, ten of package docs. Give them to a reader.
Ask what each one means, and whether it had to be read twice.
"""
import pathlib
import random
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
GENERATED = {"json.md", "programs.md", "documents.md"}


def sentences(text):
    """Sentences of at least four words, without code and tables."""
    text = re.sub(r"(?s)```.*?```", "\n\n", text)
    text = "\n".join("" if re.search(r"\S(\s{2,}|\t)\S.*\S(\s{2,}|\t)\S", line) else line for line in text.split("\n"))
    for block in re.split(r"\n\s*\n|\n(?=\s*[-*|#]|\s{2,}\S+\s{2,})", text):
        block = " ".join(block.split())
        if block.startswith(("|", "#", "$", "!")):
            continue
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z])", block):
            if 5 <= len(sentence.split()) <= 60 and re.search(r"[a-z]{3}", sentence):
                yield sentence


def texts(*patterns):
    for pattern in patterns:
        for file in sorted(ROOT.glob(pattern)):
            if file.name not in GENERATED and "rules" not in file.parts:
                yield str(file.relative_to(ROOT)), file.read_text()


def commands():
    for name, text in texts("cmd/qprism/help/*.txt", "cmd/qprism/testdata/golden/**/*.txt"):
        yield from ((name, s) for s in sentences(text) if s.endswith((".", "!")))


def docs():
    for name, text in texts("README.md", "CONTRIBUTING.md", "docs/**/*.md"):
        yield from ((name, s) for s in sentences(text) if s.endswith("."))


def page():
    for name, text in texts("cmd/qprism/view/assets/*.js"):
        for _, words in re.findall(r"([\"`])((?:(?!\1)[^\n\\])*)\1", text):
            if len(words.split()) >= 3 and re.fullmatch(r"[\w ,.'?:;()%/–…-]+", words):
                yield name, words


def packages():
    for name, text in texts("**/doc.go"):
        comment = "\n".join(line.removeprefix("//").removeprefix(" ") for line in text.splitlines() if line.startswith("//"))
        yield from ((name, s) for s in sentences(comment) if s.endswith("."))


def main():
    choose = random.Random(int(sys.argv[1]))
    number = 0
    for source, count in ((commands, 20), (docs, 20), (page, 10), (packages, 10)):
        found = sorted(set(source()))
        for name, sentence in choose.sample(found, min(count, len(found))):
            number += 1
            print(f"{number}. [{name}] {sentence}")


if __name__ == "__main__":
    main()
