"""Runs the programs of a candidate with a stand-in for the server: reads cases, writes what each sets."""
import io
import json
import sys
import types
from contextlib import redirect_stdout


class Requests(dict):
    """Resources as the server hands them to a hook: one that it does not know is an error."""

    def __missing__(self, name):
        if name == "qp_deadline":
            raise AttributeError("'pbs_resource' object has no attribute '%s'" % name)
        return None

class Thing:
    def __init__(self, **fields):
        self.__dict__.update(fields)


def job(j):
    fields = dict(j, Resource_List=Requests(j["Resource_List"]))
    fields["job_state"] = {"R": 4, "Q": 1, "H": 2}[j["job_state"]]
    return Thing(**fields)


class Rejected(Exception):
    pass


def reject(text):
    raise Rejected(text)


def hook(program, case):
    pbs = types.ModuleType("pbs")
    pbs.JOB_STATE_QUEUED, pbs.JOB_STATE_RUNNING, pbs.EVENT_ERROR, pbs.EVENT_DEBUG = 1, 4, 1, 128
    new = Thing(Resource_List=Requests(case["job"]["Resource_List"]), project=case["job"]["project"], Account_Name=None)
    said = []
    event = Thing(job=new, requestor=case["job"]["user"], accept=lambda: said.append("accepted"), reject=reject)
    pbs.event, pbs.server = lambda: event, lambda: Thing(jobs=lambda: iter([job(j) for j in case["others"]]))
    pbs.logmsg = lambda level, text: said.append(text)
    sys.modules["pbs"] = pbs
    system(case.get("groups") or {})
    try:
        exec(program, {"__name__": "hook"})
    except Rejected as why:
        return {"rejected": str(why)}
    if said != ["accepted"]:
        raise SystemExit("the hook said %s" % said)
    return dict(new.Resource_List, account=new.Account_Name)


def system(groups):
    """The system's users, each with its first group."""
    sys.modules["pwd"] = Thing(getpwnam=lambda user: Thing(pw_gid=groups[user]))
    sys.modules["grp"] = Thing(getgrgid=lambda gid: Thing(gr_name=gid))


def renew(program, case):
    space = {"__name__": "renew"}
    system(case.get("groups") or {})
    exec(program, space)
    space["subprocess"] = Thing(PIPE=-1, DEVNULL=-3, run=lambda argv, **k: Thing(
        stdout=(case["pbsfs"] if argv[0] == "pbsfs" else json.dumps({"Jobs": case["jobs"]})).encode()))
    out = io.StringIO()
    with redirect_stdout(out):
        space["main"](case["now"], True)
    return out.getvalue().splitlines()


results = []
for case in json.load(sys.stdin):
    program = compile(case["program"], "program", "exec")
    results.append(hook(program, case) if "job" in case else renew(program, case))
json.dump(results, sys.stdout)
