#!/usr/bin/env python3
"""@ABOUT@

Options of the command line and of "#$" lines of the script are read as Grid Engine's qsub reads them. What has no counterpart is refused,
or told of where the job is the same without it. --dry-run as the first option prints what would be run.
"""
import getpass
import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

TABLES = json.loads(r'''@TABLES@''')


def fail(text):
    sys.exit("qsub.py: " + text)


def tell(text):
    print("qsub.py: " + text, file=sys.stderr)


def number(text):
    """An amount as Grid Engine writes it: 3, 1.5, 2G, 1:30:00."""
    if re.fullmatch(r"\d*:\d*:\d*", text):
        h, m, s = (int(part or 0) for part in text.split(":"))
        return (h * 60 + m) * 60 + s
    found = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)([kKmMgG]?)", text)
    if not found:
        fail("%r is no amount" % text)
    units = {"": 1, "k": 1000, "m": 1000 ** 2, "g": 1000 ** 3, "K": 1024, "M": 1024 ** 2, "G": 1024 ** 3}
    return float(found.group(1)) * units[found.group(2)]


def yes(text):
    return text.lower() in ("y", "yes")


def moment(text):
    """A [[CC]YY]MMDDhhmm[.SS] as [year, month, day, hour, minute, second], of four and two digits."""
    found = re.fullmatch(r"((?:\d\d)?\d\d)??(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d\d))?", text)
    if not found:
        fail("%s is no [[CC]YY]MMDDhhmm[.SS]" % text)
    year, *rest = found.groups("00")
    year = time.strftime("%Y") if year == "00" else year
    return [year if len(year) == 4 else "20" + year] + rest


def array(text):
    """first, last and step of -t, as they are written; None where they are not."""
    found = re.fullmatch(r"(\d+)(?:-(\d+))?(?::(\d+))?", text)
    if not found:
        fail("-t %s" % text)
    return found.groups()


def directives(script):
    with open(script, errors="surrogateescape") as lines:
        for line in lines:
            if line.startswith("#$ "):
                yield from shlex.split(line[3:], comments=True)


class Submission:
    """What options of qsub ask for. PLAIN take a word as it is, WORDLESS none, TOLD a word that is left out with a reason; OWN has a method
    for each other option, called with its word."""
    PLAIN, WORDLESS, TOLD, OWN = {}, {}, {}, {}

    def __init__(self):
        self.options, self.requests, self.slots, self.project = [], [], 1, ""
        self.binary = self.joined = False
        self.most = ""

    def read(self, words):
        """Takes options off the front of words, and returns the rest."""
        words = list(words)
        while words and words[0].startswith("-"):
            self.option(words.pop(0), words)
        return words

    def option(self, name, words):
        def value():
            if not words:
                fail(name + " wants a value")
            return words.pop(0)

        if name in self.WORDLESS:
            self.options += [self.WORDLESS[name]] if self.WORDLESS[name] else []
        elif name in self.PLAIN:
            self.options += self.plain(self.PLAIN[name], value())
        elif name == "-P":
            self.project = value()
        elif name == "-pe":
            self.environment(value(), value())
        elif name == "-l":
            self.requests += value().split(",")
        elif name == "-b":
            self.binary = yes(value())
        elif name == "-j":
            self.joined = yes(value())
        elif name == "-tc":
            self.most = value()
        elif name in self.OWN:
            self.OWN[name](self, value())
        elif name in self.TOLD:
            tell("%s %s is left out. %s" % (name, value(), self.TOLD[name]))
        else:
            fail("%s has no counterpart here" % name)

    def plain(self, option, word):
        return [option + word]

    def environment(self, _, slots):
        """A parallel environment; of a range of slots the least."""
        found = re.match(r"\d+", slots)
        self.slots = max(1, int(found.group())) if found else 1


def main(kind, words):
    """Reads the command line, and the script's own options, which it outweighs."""
    dry = words[:1] == ["--dry-run"]
    job = kind()
    rest = job.read(words[1:] if dry else words)
    if not rest:
        fail("name a script")
    if not job.binary:
        job = kind()
        job.read(list(directives(rest[0])))
        job.read(words[1:] if dry else words)
    command, text = job.submission(rest)
    if dry:
        print(" ".join(shlex.quote(word) for word in command))
        print(text or "", end="")
    elif text is None:
        os.execvp(command[0], command)
    else:
        sys.exit(subprocess.run(command, input=text.encode(errors="surrogateescape")).returncode)
