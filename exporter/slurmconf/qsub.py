def clock(seconds):
    seconds = int(math.ceil(seconds))
    return "%d-%02d:%02d:%02d" % (seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60, seconds % 60)


def paths(text):
    text = text.split(":", 1)[1] if re.match(r"[\w.-]*:/", text) else text
    return text.replace("$JOB_ID", "%j").replace("$TASK_ID", "%a").replace("$USER", "%u").replace("$JOB_NAME", "%x").replace("$HOSTNAME", "%N")


class Job(Submission):
    PLAIN = {"-N": "--job-name=", "-o": "--output=", "-e": "--error=", "-wd": "--chdir=", "-M": "--mail-user="}
    WORDLESS = {"-cwd": None, "-V": "--export=ALL", "-h": "--hold", "-hard": None}
    TOLD = {"-S": "the first line of the script names its shell", "-R": "backfill reserves for the first jobs, whoever asks",
            "-w": "sbatch checks by itself", "-pty": "", "-shell": "", "-now": "",
            "-q": "there are no queues by these names: see sinfo for partitions"}

    def plain(self, option, word):
        return [option + paths(word)]

    def nice(self, word):
        self.options.append("--nice=%d" % -int(word))

    def requeue(self, word):
        self.options.append("--requeue" if yes(word) else "--no-requeue")

    def wait(self, word):
        self.options += ["--wait"] if yes(word) else []

    def tasks(self, word):
        first, last, step = array(word)
        self.options.append("--array=" + first + ("-" + last if last else "") + (":" + step if step else ""))

    def after(self, word):
        self.options.append("--dependency=" + ",".join("afterany:" + job for job in word.split(",")))

    def begin(self, word):
        self.options.append("--begin=%s-%s-%sT%s:%s:%s" % tuple(moment(word)))

    def deadline(self, _):
        fail("-dl: Slurm raises no priority before a deadline; without -dl, and --nice later")

    def export(self, word):
        self.options.append("--export=ALL," + word)

    def mail(self, word):
        kinds = {"b": "BEGIN", "e": "END", "a": "FAIL", "s": "REQUEUE", "n": "NONE"}
        self.options.append("--mail-type=" + ",".join(kinds[letter] for letter in word if letter in kinds))

    OWN = {"-p": nice, "-r": requeue, "-sync": wait, "-t": tasks, "-hold_jid": after, "-a": begin, "-dl": deadline, "-v": export, "-m": mail}

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

    def submission(self, rest):
        command = ["sbatch", "--parsable", "--ntasks=%d" % self.slots] + self.licenses() + self.account() + self.options
        if self.most:
            command = [o + "%" + self.most if o.startswith("--array=") else o for o in command]
        if self.joined:
            command = [o for o in command if not o.startswith("--error=")]
        if self.binary:
            return command + ["--wrap", " ".join(shlex.quote(word) for word in rest)], None
        return command + rest, None


main(Job, sys.argv[1:])
