#!/usr/bin/env python3
"""Submits to Slurm what was written for qsub: qsub.py [OPTIONS] SCRIPT [ARGUMENTS]

Options of the command line and of "#$" lines of the script become those of sbatch. What has no counterpart is refused, or
told of where the job is the same without it. --dry-run as the first option prints the command of sbatch.
"""
import getpass
import json
import math
import os
import re
import shlex
import sys

TABLES = json.loads(r'''TABLES_OF_THE_CLUSTER''')

PLAIN = {"-N": "--job-name=", "-o": "--output=", "-e": "--error=", "-wd": "--chdir=", "-M": "--mail-user="}
WORDLESS = {"-cwd": None, "-V": "--export=ALL", "-h": "--hold", "-hard": None}
TOLD = {"-S": "the first line of the script names its shell", "-R": "backfill reserves for the first jobs, whoever asks", "-w": "sbatch checks by itself",
        "-pty": "", "-shell": "", "-now": "", "-q": "there are no queues by these names: see sinfo for partitions"}


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


def clock(seconds):
    seconds = int(math.ceil(seconds))
    return "%d-%02d:%02d:%02d" % (seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60, seconds % 60)


class Job:
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

        if name in WORDLESS:
            self.options += [WORDLESS[name]] if WORDLESS[name] else []
        elif name in PLAIN:
            self.options.append(PLAIN[name] + paths(value()))
        elif name == "-p":
            self.options.append("--nice=%d" % -int(value()))
        elif name == "-P":
            self.project = value()
        elif name == "-pe":
            value()  # which one: Slurm has none
            found = re.match(r"\d+", value())
            self.slots = max(1, int(found.group())) if found else 1
        elif name == "-l":
            self.requests += value().split(",")
        elif name == "-b":
            self.binary = yes(value())
        elif name == "-j":
            self.joined = yes(value())
        elif name == "-r":
            self.options.append("--requeue" if yes(value()) else "--no-requeue")
        elif name == "-sync":
            self.options += ["--wait"] if yes(value()) else []
        elif name == "-t":
            self.array(value())
        elif name == "-tc":
            self.most = value()
        elif name == "-hold_jid":
            self.options.append("--dependency=" + ",".join("afterany:" + job for job in value().split(",")))
        elif name == "-a":
            self.options.append("--begin=" + moment(value()))
        elif name == "-dl":
            fail("-dl: Slurm raises no priority before a deadline; without -dl, and --nice later")
        elif name == "-v":
            self.options.append("--export=ALL," + value())
        elif name == "-m":
            self.mail(value())
        elif name in TOLD:
            tell("%s %s is left out. %s" % (name, value(), TOLD[name]))
        else:
            fail("%s has no counterpart here; see sbatch(1)" % name)

    def array(self, text):
        found = re.fullmatch(r"(\d+)(?:-(\d+))?(?::(\d+))?", text)
        if not found:
            fail("-t %s" % text)
        first, last, step = found.group(1), found.group(2), found.group(3)
        self.options.append("--array=" + first + ("-" + last if last else "") + (":" + step if step else ""))

    def mail(self, text):
        kinds = {"b": "BEGIN", "e": "END", "a": "FAIL", "s": "REQUEUE", "n": "NONE"}
        self.options.append("--mail-type=" + ",".join(kinds[letter] for letter in text if letter in kinds))

    def licenses(self):
        counts = {}
        for request in self.requests:
            name, _, amount = request.partition("=")
            resource = next((r for r in TABLES["licenses"] if name in (r["resource"], r["shortcut"])), None)
            if name in ("h_rt", "s_rt"):
                self.options.append("--time=" + clock(number(amount)))
            elif resource is None:
                tell("-l %s is left out: nothing was translated for it, see sbatch --mem, --constraint and --gres" % request)
            elif not resource["counted"]:
                counts[resource["name"]] = 1
            else:
                times = self.slots if resource["per_slot"] else 1
                counts[resource["name"]] = counts.get(resource["name"], 0) + int(math.ceil(number(amount or "1") * times / resource["unit"]))
        return ["--licenses=" + ",".join("%s:%d" % pair for pair in counts.items() if pair[1])] if any(counts.values()) else []

    def account(self):
        user = getpass.getuser()
        for project in (self.project, ""):
            account = TABLES["accounts"].get(project, {}).get(user)
            if account:
                return ["--account=" + account]
        return []

    def command(self):
        out = ["sbatch", "--parsable", "--ntasks=%d" % self.slots] + self.licenses() + self.account() + self.options
        if self.most:
            out = [o + "%" + self.most if o.startswith("--array=") else o for o in out]
        if self.joined:
            out = [o for o in out if not o.startswith("--error=")]
        return out


def yes(text):
    return text.lower() in ("y", "yes")


def paths(text):
    text = text.split(":", 1)[1] if re.match(r"[\w.-]*:/", text) else text
    return text.replace("$JOB_ID", "%j").replace("$TASK_ID", "%a").replace("$USER", "%u").replace("$JOB_NAME", "%x").replace("$HOSTNAME", "%N")


def moment(text):
    found = re.fullmatch(r"((?:\d\d)?\d\d)??(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d\d))?", text)
    if not found:
        fail("-a %s is no [[CC]YY]MMDDhhmm[.SS]" % text)
    year, month, day, hour, minute, second = found.groups()
    if not year:
        year = __import__("time").strftime("%Y")
    return "%s-%s-%sT%s:%s:%s" % (year if len(year) == 4 else "20" + year, month, day, hour, minute, second or "00")


def directives(script):
    with open(script, errors="surrogateescape") as lines:
        for line in lines:
            if line.startswith("#$ "):
                yield from shlex.split(line[3:], comments=True)


def main(words):
    dry = words[:1] == ["--dry-run"]
    job = Job()
    rest = job.read(words[1:] if dry else words)
    if not rest:
        fail("name a script")
    command = []
    if job.binary:
        command = job.command() + ["--wrap", " ".join(shlex.quote(word) for word in rest)]
    else:
        whole = Job()  # the command line outweighs the script
        whole.read(list(directives(rest[0])))
        whole.read(words[1:] if dry else words)
        command = whole.command() + rest
    if dry:
        print(" ".join(shlex.quote(word) for word in command))
        return
    os.execvp(command[0], command)


main(sys.argv[1:])
