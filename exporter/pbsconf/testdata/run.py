"""Runs the hook of a submission with a stand-in for the server: reads cases, writes what each job became."""
import json
import sys
import types


class Requests(dict):
    """Resources as the server hands them to a hook: one that it does not know is an error."""

    def __missing__(self, name):
        if name in ("q1", "q2", "q3", "unknown"):
            raise AttributeError("'pbs_resource' object has no attribute '%s'" % name)
        return None


class Thing:
    def __init__(self, **fields):
        self.__dict__.update(fields)


class Rejected(Exception):
    pass


def job(fields):
    if fields is None:
        return None
    queue = fields.get("queue")
    return Thing(Resource_List=Requests(fields.get("Resource_List") or {}), project=fields.get("project"), topjob_ineligible=None, Rerunable=True, array_indices_submitted=fields.get("array"),
                 queue=Thing(name=queue) if queue else None, euser=None)


def reject(text):
    raise Rejected(text)


def accounts(groups):
    """The system's users, each in some groups of which the first is its own."""
    return Thing(getpwnam=lambda user: Thing(pw_gid=groups[user][0]))


def unix_groups(groups):
    names = sorted({g for own in groups.values() for g in own})
    members = {g: [u for u, own in groups.items() if g in own[1:]] for g in names}
    return Thing(getgrgid=lambda gid: Thing(gr_name=gid), getgrall=lambda: [Thing(gr_name=g, gr_mem=members[g]) for g in names])


def run(program, case):
    pbs = types.ModuleType("pbs")
    pbs.QUEUEJOB, pbs.MODIFYJOB = 1, 2
    pbs.select, pbs.duration = str, int
    old = job(case.get("old"))
    new = job(case["job"])
    event = Thing(type=pbs.MODIFYJOB if old else pbs.QUEUEJOB, job=new, job_o=old, requestor=case["user"], accept=lambda: None, reject=reject)
    groups = case.get("groups") or {}
    sys.modules["pwd"], sys.modules["grp"] = accounts(groups), unix_groups(groups)
    pbs.event, pbs.server = lambda: event, lambda: Thing(queue=lambda name: Thing(name=name))
    sys.modules["pbs"] = pbs
    try:
        exec(program, {"__name__": "hook"})
    except Rejected as refusal:
        return {"rejected": str(refusal)}
    return {"requests": {k: str(v) for k, v in new.Resource_List.items() if v is not None}, "queue": new.queue.name if new.queue else "",
            "project": new.project or "", "topjob_ineligible": str(new.topjob_ineligible), "once": not new.Rerunable}


cases = json.load(sys.stdin)
program = compile(cases["program"], "hook", "exec")
json.dump([run(program, case) for case in cases["cases"]], sys.stdout)
