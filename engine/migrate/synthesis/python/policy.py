# What the policies of Grid Engine give a job, as far as PBS knows it: functional and override tickets, its place among the
# jobs of its entity, and the urgency of its requests (sge_priority(5), share_tree(5)). Written by qprism migrate.
import grp
import json
import pwd

P = json.loads(r'''@POLICY@''')
PARTIES = ("user", "project", "department")


def shares(job, party):
    return job["share"] if party == "job" else P["accounts"][party].get(job[party], (0, 0))[0]


def category(job):
    c = tuple(job[p] if shares(job, p) > 0 else "" for p in PARTIES) + (job["share"],)
    return c if any(c) else None


def tally(jobs):
    tasks = {p: {} for p in PARTIES}
    for j in jobs:
        for p in PARTIES:
            tasks[p][j[p]] = tasks[p].get(j[p], 0) + j["tasks"]
    return tasks


def override(running, waiting):
    tasks = tally(running)
    for j in waiting:
        j["shared"] = 0.0
        for p in PARTIES:
            n = tasks[p].get(j[p], 0) + 1
            j["shared"] += P["accounts"][p].get(j[p], (0, 0))[1] / (n if P["share_override"] else 1)
        for p in PARTIES:
            tasks[p][j[p]] = tasks[p].get(j[p], 0) + 1


def had(job, policy):
    h = P["hierarchy"]
    before = (h + "".join(c for c in "OFS" if c not in h)).split(policy)[0]
    got = 0.0
    if "O" in before and (P["share_override"] or "O" in h):
        got += job["shared"] + job["override"]
    if "F" in before and "F" in h:
        got += job["functional"]
    return got


def functional(running, waiting, frozen):
    """Gives out functional tickets one by one, each to the job that would get most, up to the number that are ranked."""
    tasks, parts, divide = tally(running), P["parts"], P["share_functional"]
    sums = {p: sum(shares(j, p) * j["tasks"] for j in running) for p in parts}
    if divide:
        for p in PARTIES:
            sums[p] = frozen[p] if frozen else sum(P["accounts"][p].get(n, (0, 0))[0] for n, t in tasks[p].items() if t > 0)

    def trial(j):
        got = 0.0
        for p in parts:
            s = shares(j, p)
            if parts[p] and s and p != "job" and divide:
                got += parts[p] * (s / (tasks[p].get(j[p], 0) + 1)) / (sums[p] + 0.001)
            elif parts[p] and s:
                got += parts[p] * s / (sums[p] + 0.001 + s)
        return got

    def pick(j):
        got = 0.0
        for p in parts:
            s, divided = shares(j, p), p != "job" and divide
            if p != "job":
                tasks[p][j[p]] = tasks[p].get(j[p], 0) + 1
            if divided:
                s /= tasks[p][j[p]]
            if not divided or tasks[p][j[p]] <= 1 and not frozen:
                sums[p] += s
            if parts[p] and s:
                got += parts[p] * s / sums[p]
        return got

    queues, tried = {}, {}
    for j in waiting:
        j["functional"] = 0.0
        if category(j) and P["functional_tickets"]:
            queues.setdefault(category(j), []).append(j)
    for _ in range(P["ranked"]):
        best = None
        for c, q in queues.items():
            if q:
                tried[c] = trial(q[0])
                key = tried[c] + (had(q[0], "F") if "F" in P["hierarchy"] else 0)
                if best is None or key > best[0] or key == best[0] and q[0]["order"] < best[1][0]["order"]:
                    best = key, q
        if best is None:
            break
        j = best[1].pop(0)
        j["functional"] = pick(j)
    for c, q in queues.items():
        for j in q:
            j["functional"] = tried[c] if c in tried else trial(j)


def rank(job):
    key = 0.01 * job["share"] + had(job, "S") if "S" in P["hierarchy"] else job["share"]
    return round(1000 * key)


def place(job, running, waiting):
    """1 and the slots of the entity's jobs before this one; 0 without a part in the share tree."""
    if not job["entity"]:
        return 0
    ahead = sum(j["slots"] * j["tasks"] for j in running if j["entity"] == job["entity"])
    mine = (-job["key"], job["order"])
    return 1 + ahead + sum(j["slots"] for j in waiting if j is not job and j["entity"] == job["entity"] and (-j["key"], j["order"]) < mine)


def tickets(job):
    return round(1000 * (job["shared"] + job["functional"]))


def entity(user, project):
    if user not in P["accounts"]["user"] or not P["tree"] or project and project not in P["tree_projects"]:
        return ""
    return P["entities"].get(project + "/" + user, user)


def department(user):
    """By name, else by the user's first group, as Grid Engine's master finds it."""
    if user not in P["departments"]:
        group = first_group(user) if P["groups"] else None
        P["departments"][user] = P["groups"].get(group, P["department"]) if group else P["met"].get(user, P["department"])
    return P["departments"][user]


def first_group(user):
    """The name of a user's first group here; None for a user whom the system does not know."""
    try:
        return grp.getgrgid(pwd.getpwnam(user).pw_gid).gr_name
    except KeyError:
        return None


def number(value):
    """A value of PBS as a number: kilobytes of a size, seconds of a time."""
    text = str(value).strip().lower()
    if text in ("true", "false"):
        return float(text == "true")
    if ":" in text:
        total = 0.0
        for part in text.split(":"):
            total = total * 60 + float(part)
        return total
    for unit, factor in (("kb", 1), ("mb", 1 << 10), ("gb", 1 << 20), ("tb", 1 << 30), ("b", 1 / 1024)):
        if text.endswith(unit):
            return float(text[:-len(unit)]) * factor
    return float(text)


def amounts(requests):
    """What a job asks for in all: its requests, and those of its chunks as often as there are chunks."""
    total = {k: v for k, v in requests.items() if v is not None and k not in ("select", "place")}
    for chunk in str(requests.get("select") or "").split("+"):
        head, *rest = chunk.split(":")
        n = int(head) if head.isdigit() else 1
        for item in rest if head.isdigit() else [head] + rest:
            name, eq, value = item.partition("=")
            if not eq:
                continue
            try:
                total[name] = total[name] + n * number(value) if isinstance(total.get(name), float) else n * number(value)
            except ValueError:
                total[name] = value
    return total


def urgency(requests):
    """Each amount times the urgency of its resource; what is not counted by slot already, times the slots."""
    asked = amounts(requests)
    slots = number(asked.get("ncpus", 1)) or 1
    sum = P["slots_urgency"] * slots
    for name, (each, how) in P["urgency"].items():
        if name in asked:
            sum += each * (1 if how == "once" else number(asked[name]) * (slots if how == "slots" else 1))
    return round(sum / P["unit"])
