

# The periodic job: counts anew, and sets the formula with the range that urgencies have now.
import subprocess
import sys


def residents():
    out = subprocess.run(["qstat", "-f", "-F", "json"], check=True, stdout=subprocess.PIPE).stdout
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
        elif j["job_state"] == "Q" or j["job_state"] == "B":
            waiting.append(r)
    return running, sorted(waiting, key=lambda r: r["order"])


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


def main(now, dry):
    running, waiting = residents()
    override(running, waiting)
    functional(running, waiting, None)
    for j in waiting:
        j["key"] = rank(j)
    run = print if dry else lambda *argv: subprocess.run(argv, check=False)
    for j in waiting:
        new = {"qp_tickets": tickets(j), "qp_place": place(j, running, waiting)}
        if any(int(j["asked"].get(k) or 0) != v for k, v in new.items()):
            run("qalter", "-l", ",".join("%s=%d" % kv for kv in sorted(new.items())), j["id"])
    spread = urgency_range(running + waiting, now)
    if P["formula"] and spread >= 1e-5:
        text = P["formula"].replace("{urgency_range}", "%.6g" % spread).replace("{reference}", str(now))
        run("qmgr", "-c", 'set sched default job_sort_formula = "%s"' % text)


if __name__ == "__main__":
    import time
    main(int(time.time()) - P["epoch"], "-n" in sys.argv[1:])
