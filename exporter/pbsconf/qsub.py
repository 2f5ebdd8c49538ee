def size(amount):
    amount = int(math.ceil(amount))
    for power, suffix in ((4, "tb"), (3, "gb"), (2, "mb"), (1, "kb")):
        if amount and amount % 1024 ** power == 0:
            return "%d%s" % (amount // 1024 ** power, suffix)
    return "%db" % amount


def clock(seconds):
    seconds = int(math.ceil(seconds))
    return "%02d:%02d:%02d" % (seconds // 3600, seconds // 60 % 60, seconds % 60)


def value(kind, text, times):
    """An amount in PBS's words, as often as it is asked for."""
    if kind == "boolean":
        return "False" if text.lower() in ("false", "f", "n", "no", "0") else "True"
    if kind in ("string", "string_array"):
        return text
    amount = number(text or "1") * times
    return {"size": size, "duration": clock, "time": clock}.get(kind, lambda n: "%.15g" % n)(amount)


class Job(Submission):
    PLAIN = {"-N": "-N", "-A": "-A", "-M": "-M", "-S": "-S", "-v": "-v", "-p": "-p", "-r": "-r"}
    WORDLESS = {"-V": "-V", "-h": "-h", "-notify": None, "-clear": None, "-terse": None, "-cwd": None}
    TOLD = {"-w": "qsub checks by itself", "-now": "", "-pty": "", "-shell": "", "-ac": "", "-dc": "", "-sc": "",
            "-masterq": "all chunks of a PBS job are in one queue", "-ckpt": "MoM checkpoints by its own actions: qsub -c"}

    def __init__(self):
        super().__init__()
        self.soft = False
        self.folder = os.getcwd()
        self.queue, self.rule, self.counted = "", "", ""
        self.chunk, self.first, self.whole = {}, {}, {}
        self.name, self.tasks = "", ""

    def option(self, name, words):
        if name in ("-soft", "-hard"):
            self.soft = name == "-soft"
        elif self.soft and name in ("-l", "-q") and words:
            tell("-soft %s %s is left out: PBS has no soft requests" % (name, words.pop(0)))
        else:
            super().option(name, words)

    def plain(self, option, word):
        if option == "-N":
            self.name = word
        if option == "-p":
            word = str(min(int(word), 1023))
        return [option, word]

    def environment(self, name, slots):
        super().environment(name, slots)
        found = next((e for e in TABLES["environments"] if e["name"] == name), None)
        if found is None:
            fail("-pe %s: the cluster had none of that name" % name)
        self.rule, self.counted = found["rule"], found["slots"]

    def path(self, option, word):
        word = word.split(":", 1)[1] if re.match(r"[\w.-]*:/", word) else word
        word = os.path.join(self.folder, word.replace("$TASK_ID", "^array_index^").replace("$SGE_TASK_ID", "^array_index^"))
        if "$" in word:
            tell("%s %s: PBS puts no such names into paths; the file gets its own name in the folder" % (option, word))
            word = os.path.dirname(word) + "/"
        self.options += [option, word]

    def output(self, word):
        self.path("-o", word)

    def errors(self, word):
        self.path("-e", word)

    def directory(self, word):
        self.folder = os.path.join(self.folder, word)

    def to_queue(self, word):
        names = {q.partition("@")[0] for q in word.split(",")}
        host = word.partition("@")[2]
        if len(names) != 1 or not names <= set(TABLES["queues"]):
            tell("-q %s is left out: a PBS job is in one queue of %s" % (word, " ".join(sorted(TABLES["queues"]))))
            return
        self.queue = TABLES["queues"][names.pop()]
        if host and re.fullmatch(r"[\w.-]+", host):
            self.chunk["host"] = host
        elif host:
            tell("of -q %s the hosts are left out" % word)

    def project_of(self):
        return ["-P", self.project] if self.project else []

    def wait(self, word):
        self.options += ["-W", "block=true"] if yes(word) else []

    def array_of(self, word):
        first, last, step = array(word)
        if last is None or int(last) < int(first) + int(step or 1):
            tell("-t %s is one task: a plain job, with SGE_TASK_ID=%s" % (word, first))
            self.options += ["-v", "SGE_TASK_ID=" + first]
            return
        self.tasks = "%s-%s%s" % (first, last, ":" + step if step else "")

    def after(self, word):
        if not re.fullmatch(r"[\d,.]+", word):
            fail("-hold_jid %s: PBS knows jobs by number only" % word)
        self.options += ["-W", "depend=afterany:" + ":".join(word.split(","))]

    def begin(self, word):
        self.options += ["-a", "%s%s%s%s%s.%s" % tuple(moment(word))]

    def mail(self, word):
        letters = "".join(c for c in word if c in "aben")
        self.options += ["-m", letters] if letters else []

    def given(self, option, word, otherwise):
        """An option for which the formula has a resource of its own."""
        if option in TABLES["options"]:
            self.whole[TABLES["options"][option]] = word
        else:
            tell("%s is left out: %s" % (option, otherwise))

    def deadline(self, word):
        year, month, day, hour, minute, second = (int(part) for part in moment(word))
        left = time.mktime((year, month, day, hour, minute, second, 0, 0, -1)) - time.time()
        self.given("-dl", "%d" % max(1, left), "the order of jobs minds no deadlines")

    def share(self, word):
        self.given("-js", word, "the order of jobs minds no job shares")

    def reserve(self, word):
        if yes(word):
            self.given("-R", "True", "the scheduler reserves for the first jobs, whoever asks")

    OWN = {"-o": output, "-e": errors, "-wd": directory, "-q": to_queue, "-sync": wait, "-t": array_of, "-hold_jid": after, "-a": begin,
           "-m": mail, "-dl": deadline, "-js": share, "-R": reserve}

    def cpus(self):
        """How many chunks of how many cpus the slots are."""
        if self.rule in ("$fill_up", "$round_robin"):
            return self.slots, 1
        if self.rule.isdigit() and int(self.rule) > 0:
            return max(1, self.slots // int(self.rule)), int(self.rule)
        return 1, self.slots

    def ask(self, request, cpus):
        name, given, text = request.partition("=")
        resource = next((r for r in TABLES["resources"] if name in (r["name"], r["shortcut"]) and name), None)
        if resource is None:
            fail("-l %s: the cluster had no such resource" % request)
        to, how, kind = resource["to"], resource["how"], resource["type"]
        if how == "queue":
            self.to_queue(text)
        elif how == "none":
            tell("-l %s is left out: %s" % (request, resource["note"] or "PBS has nothing like it"))
        elif kind in ("string", "string_array") and re.search(r"[*?|&!]", text):
            tell("-l %s is left out: PBS compares texts as they are" % request)
        elif how == "job":
            self.whole[to] = value(kind, text, 1)
        elif how == "slots":
            self.whole[to] = value(kind, text, self.slots)
        elif how == "first":
            self.first[to] = value(kind, text, 1)
        else:
            self.chunk[to] = value(kind, text, cpus if how == "slot" else 1)

    def select(self):
        count, cpus = self.cpus()
        for request in self.requests:
            self.ask(request, cpus)
        processes = ":mpiprocs=%d" % cpus if self.rule.isdigit() else ""
        plain = "".join(":%s=%s" % pair for pair in self.chunk.items())
        first = "".join(":%s=%s" % pair for pair in self.first.items())
        each = "ncpus=%d%s%s" % (cpus, processes, plain)
        text = "%d:%s" % (count, each) if not first else "1:%s%s" % (each, first) + ("+%d:%s" % (count - 1, each) if count > 1 else "")
        scatters = self.rule.isdigit() or self.rule == "$round_robin" and self.slots <= TABLES["hosts"]
        return text, "scatter" if scatters else "free"

    def command(self, name):
        chunks, place = self.select()
        command = ["qsub", "-l", "select=" + chunks, "-l", "place=" + place]
        if self.counted:
            self.whole[self.counted] = str(self.slots)
        for pair in self.whole.items():
            command += ["-l", "%s=%s" % pair]
        command += ["-q", self.queue] if self.queue else []
        command += self.project_of() + self.options
        command += ["-J", self.tasks + ("%" + self.most if self.most else "")] if self.tasks else []
        command += ["-j", "oe"] if self.joined else []
        return command + ([] if self.name else ["-N", re.sub(r"^[^A-Za-z]", "J", os.path.basename(name))[:230]])

    def preamble(self, words):
        """What a script of sh needs to find what Grid Engine gives it: its folder, its arguments, its variables."""
        lines = ["cd %s || exit" % shlex.quote(self.folder), "set -- " + " ".join(shlex.quote(w) for w in words) if words else ":",
                 "JOB_ID=${PBS_JOBID%%%%[!0-9]*} NSLOTS=%d SGE_TASK_ID=${PBS_ARRAY_INDEX:-${SGE_TASK_ID:-undefined}}" % self.slots,
                 "export JOB_ID NSLOTS SGE_TASK_ID"]
        return "\n".join(lines) + "\n"

    def submission(self, rest):
        command = self.command(rest[0])
        if self.binary:
            return command, "#!/bin/sh\n" + self.preamble([]) + "exec " + " ".join(shlex.quote(w) for w in rest) + "\n"
        with open(rest[0], errors="surrogateescape") as script:
            lines = script.read().splitlines(keepends=True)
        begins = lines[0] if lines and lines[0].startswith("#!") else "#!/bin/sh\n"
        if not re.search(r"[/ ](ba|da|k|z|a)?sh\b", begins):
            if rest[1:]:
                fail("%s is no script of sh: PBS gives it no arguments" % rest[0])
            tell("%s is no script of sh: it begins in the home folder, and PBS_O_WORKDIR is the one of the submission" % rest[0])
            return command + [rest[0]], None
        head = 0
        while head < len(lines) and (lines[head].startswith("#") or not lines[head].strip()):
            head += 1
        return command, "".join(lines[:head]) + self.preamble(rest[1:]) + "".join(lines[head:])


main(Job, sys.argv[1:])
