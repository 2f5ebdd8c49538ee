

# The periodic job: counts anew, and sets the formula with constants as they are now.
import re
import subprocess
import sys


def residents():
    out = subprocess.run(["qstat", "-f", "-t", "-F", "json"], check=True, stdout=subprocess.PIPE).stdout
    running, waiting = [], []
    for name, j in (json.loads(out).get("Jobs") or {}).items():
        asked = j.get("Resource_List") or {}
        user = str(j.get("euser") or j["Job_Owner"]).split("@")[0]
        project = "" if j.get("project") in (None, "_pbs_project_default") else str(j["project"])
        digits = "".join(c for c in name.split(".")[0].split("[")[0] if c.isdigit())
        r = {"id": name, "user": user, "project": project, "department": department(user), "entity": entity(user, project), "tasks": 1,
             "order": (int(asked.get("qp_since") or 0), int(digits or 0)), "share": int(asked.get("qp_share") or 0),
             "slots": int(number(asked.get("ncpus") or 1)), "override": float(asked.get("qp_override") or 0), "asked": asked}
        if j["job_state"] == "R" and "[]" not in name:
            running.append(r)
        elif j["job_state"] in "QB" and waits(name, j):
            waiting.append(r)
    return running, sorted(waiting, key=lambda r: r["order"])


def waits(name, job):
    """An array waits as one job, for as long as a subjob of it does; its subjobs do not for themselves."""
    return not re.search(r"\[\d+\]", name) and not str(job.get("array_state_count") or "").startswith("Queued:0 ")


def urgency_range(jobs, now):
    """Greatest less least urgency, each job's as Grid Engine has it now."""
    all = []
    for j in jobs:
        since = int(j["asked"].get("qp_since") or 0)
        u = P["unit"] * float(j["asked"].get("qp_urgency") or 0) + P["waiting"] * (now - since)
        if int(j["asked"].get("qp_deadline") or 0) > 0:
            u += P["deadline"] / max(1, since + int(j["asked"]["qp_deadline"]) - now)
        all.append(u)
    return max(all + [0]) - min(all) if all else 0


def shared_tree():
    """The nodes of the tree with their parts of shares and usage, as a formula has them (pbsfs -p), and all usage."""
    out = subprocess.run(["pbsfs", "-p"], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    nodes = {}
    for line in (out if isinstance(out, str) else out.decode(errors="replace")).splitlines():
        found = re.match(r"(.*?)\s*: Grp: (-?\d+)\s+cgrp: (\d+)\s*Shares: (-?\d+)\s+Usage: (\d+)", line)
        if found:
            group, below, shares, usage = (int(x) for x in found.groups()[1:])
            nodes[found.group(1)] = {"group": group, "below": below, "shares": shares, "usage": usage}
    by_group = {n["below"]: n for n in nodes.values()}
    siblings = {}
    for n in nodes.values():
        siblings[n["group"]] = siblings.get(n["group"], 0) + n["shares"]
    total = nodes.get("TREEROOT", {}).get("usage", 1) or 1

    def weigh(n, depth=0):
        if n["group"] == -1:
            return 1.0, None
        perc, weighed = weigh(by_group[n["group"]], depth + 1) if n["group"] in by_group and depth < 100 else (0.0, None)
        part, own = n["shares"] / (siblings[n["group"]] or 1), n["usage"] / total
        return perc * part, own if weighed is None else own + (weighed - own) * part

    tree = {name: weigh(n) for name, n in nodes.items()}
    return tree, total / P["usage_unit"]


def tree_scale(jobs, tree, usage):
    """What target squared over usage of the entities of jobs adds up to, and the part of all that an entity has at least and at most."""
    known = [tree.get(e, (0.0, 0.0)) for e in sorted({j["entity"] for j in jobs if j["entity"]})]
    targets = sum(perc for perc, _ in known)
    if not targets:
        return None
    floor = 1 / (targets * max(1, usage))
    all = sum(weight(n, floor) for n in known)
    limit = P["compensation"] * all / targets if P["compensation"] else float("inf")
    weights = sum(min(weight(n, floor), limit * n[0]) for n in known)
    return {"tree_weights": weights, "most_tree": limit / weights, "least_usage": floor}


def weight(node, floor):
    perc, used = node
    return perc * perc / max(1e-6, floor * perc, used or 0.0) if perc else 0.0


def part(scale, node):
    """Which part of the tickets of the tree the jobs of a node have."""
    return min(weight(node, scale["least_usage"]) / scale["tree_weights"], scale["most_tree"] * node[0]) if scale else 0.0


def by_entity(jobs):
    tasks = {}
    for j in jobs:
        tasks[j["entity"]] = tasks.get(j["entity"], 0) + j["tasks"]
    return tasks


def most_tickets(running, waiting, tree, scale, usage):
    """The most tickets of a task: of waiting ones as the formula has them, of running ones as Grid Engine would give them."""
    most = 0.0
    for j in waiting:
        got = j["shared"] + j["override"] + j["functional"]
        if j["entity"]:
            got += P["tree_tickets"] * part(scale, tree.get(j["entity"], (0.0, 0.0))) / j["place"]
        most = max(most, got)
    alone, tasks, both, active = tree_scale(running, tree, usage), tally(running), by_entity(running + waiting), by_entity(running)
    job_shares = {}
    for j in running:
        job_shares[j["entity"]] = job_shares.get(j["entity"], 0) + j["share"] * j["tasks"]
    sums = {}
    for p in P["parts"]:
        sums[p] = sum(shares(j, p) * j["tasks"] for j in running)
        if P["share_functional"] and p != "job":
            sums[p] = sum(P["accounts"][p].get(n, (0, 0))[0] for n in tasks[p])
    weights = sum(P["parts"][p] for p in sums if sums[p] > 0)
    for j in running:
        got = j["override"]
        for p in PARTIES:
            got += P["accounts"][p].get(j[p], (0, 0))[1] / (tasks[p][j[p]] if P["share_override"] else 1)
        for p in sums:
            if sums[p] > 0 and weights > 0:
                s = shares(j, p) / (tasks[p][j[p]] if p != "job" and P["share_functional"] else 1)
                got += P["functional_tickets"] * P["parts"][p] / weights * s / sums[p]
        if j["entity"]:
            node, of = tree.get(j["entity"], (0.0, 0.0)), job_shares[j["entity"]]
            divided = [j["share"] / of if of else 1 / n[j["entity"]] for n in (both, active)]
            got += P["tree_tickets"] * max(part(scale, node) * divided[0], part(alone, node) * divided[1])
        most = max(most, got)
    return most


def constants(running, waiting, now):
    """Those of the formula: as they are now where there is anything to be normalized, else as they were when this was written."""
    new = dict(P["constants"], reference=now)
    spread = urgency_range(running + waiting, now)
    if spread >= 1e-5:
        new["urgency_range"] = spread
    if "{most_tickets}" in P["formula"] or "{tree_weights}" in P["formula"]:
        tree, usage = shared_tree() if P["tree"] and P["tree_tickets"] else ({}, 1)
        scale = tree_scale(running + waiting, tree, usage)
        new.update(scale or {})
        most = most_tickets(running, waiting, tree, scale, usage)
        if most >= 1e-5:
            new["most_tickets"] = most
    return new


def main(now, dry):
    running, waiting = residents()
    override(running, waiting)
    functional(running, waiting, None)
    for j in waiting:
        j["key"] = rank(j)
    run = print if dry else lambda *argv: subprocess.run(argv, check=False)
    for j in waiting:
        j["place"] = place(j, running, waiting)
        new = {"qp_tickets": tickets(j), "qp_place": j["place"]}
        new = {k: v for k, v in new.items() if k in P["resources"]}  # qalter changes nothing if one of them is unknown
        if any(int(j["asked"].get(k) or 0) != v for k, v in new.items()):
            run("qalter", "-l", ",".join("%s=%d" % kv for kv in sorted(new.items())), j["id"])
    text = P["formula"]
    for name, value in constants(running, waiting, now).items():
        text = text.replace("{%s}" % name, "%d" % value if name == "reference" else "%.6g" % value)
    if text and "{" not in text:
        run("qmgr", "-c", 'set sched default job_sort_formula = "%s"' % text)


if __name__ == "__main__":
    import time
    main(int(time.time()) - P["epoch"], "-n" in sys.argv[1:])
