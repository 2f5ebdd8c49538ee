

# The hook, for the event queuejob.
import time

import pbs


def asked_for(job, name):
    """What a job asks for of a resource; None for nothing, and where the server does not know the resource."""
    try:
        return job.Resource_List[name]
    except (AttributeError, KeyError):
        return None


def give(job, name, value):
    """Sets a resource, if the server has it: those that the formula reads, and those by which jobs are counted."""
    if name not in P["resources"]:
        return
    try:
        job.Resource_List[name] = value
    except Exception as problem:
        pbs.logmsg(pbs.EVENT_DEBUG, "qprism: %s is not set: %s" % (name, problem))


def resources(job):
    names = {"select", "ncpus", "qp_share", "qp_deadline"} | set(P["urgency"])
    return {n: v for n, v in ((n, asked_for(job, n)) for n in names) if v is not None}


def resident(user, project, requests, order, override=0, tasks=1):
    project = "" if project in (None, "_pbs_project_default") else str(project)
    return {"user": user, "project": project, "department": department(user), "entity": entity(user, project), "order": order,
            "share": int(requests.get("qp_share") or 0), "slots": int(number(amounts(requests).get("ncpus", 1))),
            "override": float(override or 0), "tasks": tasks}


def others():
    running, waiting = [], []
    for j in pbs.server().jobs():
        if j.job_state not in (pbs.JOB_STATE_RUNNING, pbs.JOB_STATE_QUEUED):
            continue
        user = str(j.Job_Owner).split("@")[0]
        digits = "".join(c for c in str(j.id).split(".")[0].split("[")[0] if c.isdigit())
        r = resident(user, j.project, resources(j), (int(j.ctime or 0), int(digits or 0)), asked_for(j, "qp_override"))
        r["key"] = int(asked_for(j, "qp_key") or 0)
        (running if j.job_state == pbs.JOB_STATE_RUNNING else waiting).append(r)
    return running, sorted(waiting, key=lambda r: r["order"])


def submit(event):
    job, user = event.job, str(event.requestor)
    asked = resources(job)
    mine = resident(user, job.project, asked, (int(time.time()), 1 << 62))
    give(job, "qp_urgency", urgency(asked))
    give(job, "qp_since", int(time.time()) - P["epoch"])
    give(job, "qp_override", 0)  # users may not set it; an operator does, with qalter
    if mine["entity"] and P["by_account"]:
        job.Account_Name = mine["entity"]
    if P["counts"]:
        running, waiting = others()
        waiting.append(mine)
        override(running, waiting)
        functional(running, waiting, P["frozen"])
        mine["key"] = rank(mine)
        give(job, "qp_key", mine["key"])
        give(job, "qp_tickets", tickets(mine))
        give(job, "qp_place", place(mine, running, waiting))


# As in Grid Engine, an @group in deadlineusers stands for nobody: only names are looked up there.
if str(pbs.event().requestor) not in P["deadline_users"] and asked_for(pbs.event().job, "qp_deadline") is not None:
    pbs.event().reject("only users in deadlineusers may ask for qp_deadline")
try:
    submit(pbs.event())
except Exception as problem:  # a job without these numbers is better than none
    pbs.logmsg(pbs.EVENT_ERROR, "qprism: %s: the job keeps no share of tickets" % problem)
pbs.event().accept()
