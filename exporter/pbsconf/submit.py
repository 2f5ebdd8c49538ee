# A hook of the PBS server (queuejob, modifyjob), made by qprism. It does what Grid Engine does and no attribute of PBS:
# the rules below say what. Change the rules, not the program.
import grp
import json
import pwd

import pbs

RULES = json.loads(r'''@RULES@''')


def now(job, old, name):
    """An attribute of the job: as it is being set, else as it was."""
    value = getattr(job, name, None)
    if value is None and old is not None:
        value = getattr(old, name, None)
    return value


def asked(job, old, name):
    """What the job asks for of a resource, as text; None for nothing."""
    for j in (job, old):
        if j is None:
            continue
        try:
            value = j.Resource_List[name]
        except (AttributeError, KeyError):  # the server does not know the resource
            value = None
        if value is not None:
            return str(value)
    return None


def is_true(value):
    """Whether a boolean is set; the server hands them over as numbers, users write words."""
    return str(value).lower() in ("true", "t", "yes", "y", "1")


def chunks(select):
    """select as a list of [count, [[resource, value], ...]]."""
    out = []
    for text in select.split("+"):
        words = text.split(":")
        count = 1
        if words[0].isdigit():
            count = int(words.pop(0))
        out.append([count, [w.split("=", 1) for w in words if "=" in w]])
    return out


def written(parts):
    return "+".join(":".join([str(n)] + ["=".join(p) for p in pairs]) for n, pairs in parts)


def in_chunk(pairs, name):
    for key, value in pairs:
        if key == name:
            return value
    return None


def amount(job, old, name):
    """How much of a resource the whole job asks for; a number for ncpus, else text or a number as it is written."""
    select = asked(job, old, "select")
    if select is not None:
        total = None
        for count, pairs in chunks(select):
            value = in_chunk(pairs, name)
            if value is None and name == "ncpus":
                value = "1"
            if value is None:
                continue
            if not value.isdigit():
                return asked(job, old, name)
            total = (total or 0) + count * int(value)
        if total is not None:
            return str(total)
    value = asked(job, old, name)
    if value is None and name == "ncpus":
        return "1"
    return value


def groups_of(user):
    """Groups that an access list of Grid Engine lets a user in by: the first one, or in newer releases all."""
    try:
        first = grp.getgrgid(pwd.getpwnam(user).pw_gid).gr_name
        return [first] + [g.gr_name for g in grp.getgrall() if RULES["Further"] and user in g.gr_mem]
    except KeyError:
        return []


def named(names, name, groups=()):
    return any(n == "*" or n == name or n[:1] == "@" and n[1:] in groups for n in names or [])


def fits(rule, name, groups=()):
    """Whether a filter fits: an empty one fits everybody, one that names somebody fits nobody without a name."""
    include, exclude = rule["Include"], rule["Exclude"]
    if not include and not exclude:
        return True
    if not name:
        return False
    return (not include or named(include, name, groups)) and not named(exclude, name, groups)


def choose_queue(event, job, old):
    """Jobs that name no queue and ask for what one queue alone has go there."""
    name = getattr(now(job, old, "queue"), "name", None) or RULES["Default"]
    for choice in RULES["Choices"] or []:
        if is_true(asked(job, old, choice["Resource"])):
            if name == RULES["Default"] and old is None:
                name = choice["Queue"]
                job.queue = pbs.server().queue(name)
        elif name == choice["Queue"] and choice["Forced"]:
            event.reject("queue %s is for jobs that ask for %s" % (name, choice["Resource"]))
    return name


def set_project(job, old, user):
    if old is None and not now(job, old, "project"):
        for member in RULES["Defaults"] or []:
            if member["User"] == user:
                job.project = member["Project"]
    project = now(job, old, "project")
    return "" if project in (None, "_pbs_project_default") else project


def check_project(event, queue, project):
    for gate in RULES["Projects"] or []:
        if gate["Queue"] != queue:
            continue
        if gate["Allow"] and project not in gate["Allow"] or project in (gate["Deny"] or []):
            event.reject("queue %s is not for project %s" % (queue, project or "none"))


def set_slots(job, old, queue):
    """Each chunk asks for as many slots of its queue as for ncpus."""
    for slots in RULES["Slots"] or []:
        if slots["Queue"] != queue:
            continue
        select = asked(job, None, "select") or (old is None and asked(job, old, "select"))
        if not select:
            if old is None or asked(job, None, "ncpus") is not None:
                job.Resource_List[slots["Resource"]] = int(amount(job, old, "ncpus"))
            continue
        parts = chunks(str(select))
        for _, pairs in parts:
            cpus = in_chunk(pairs, "ncpus") or "1"
            pairs[:] = [p for p in pairs if p[0] != slots["Resource"]] + [[slots["Resource"], cpus]]
        job.Resource_List["select"] = pbs.select(written(parts))


def set_quotas(job, old, queue, project, user):
    """Of each quota set the first rule that fits is counted."""
    groups = groups_of(user) if RULES["Quotas"] else []
    for quota in RULES["Quotas"] or []:
        done = False
        for rule in quota["Rules"]:
            fit = not done and fits(rule["Users"], user, groups) and fits(rule["Projects"], project) and fits(rule["Queues"], queue)
            value = amount(job, old, rule["Of"]) if fit else None
            done = done or fit
            if value is None:
                if asked(job, old, rule["Resource"]) is not None:
                    job.Resource_List[rule["Resource"]] = None
                continue
            job.Resource_List[rule["Resource"]] = int(value) if value.isdigit() else value


def set_times(job, old, queue):
    if RULES["Soft"] and queue not in (RULES["Timed"] or []) and asked(job, old, "walltime") is None and asked(job, old, "soft_walltime") is None:
        job.Resource_List["soft_walltime"] = pbs.duration(RULES["Soft"])
    if RULES["NoTop"]:
        job.topjob_ineligible = not is_true(asked(job, old, RULES["Reserve"]))


def set_rerun(job, old, queue):
    """qsub sends -r y for those who say nothing of it. The server takes arrays only if they may run again."""
    if old is None and queue in (RULES["Once"] or []) and not getattr(job, "array_indices_submitted", None):
        job.Rerunable = False


def main():
    event = pbs.event()
    job = event.job
    old = event.job_o if event.type == pbs.MODIFYJOB else None
    user = (str(now(job, old, "euser") or "") or str(event.requestor)).split("@")[0]
    queue = choose_queue(event, job, old)
    project = set_project(job, old, user)
    check_project(event, queue, project)
    set_slots(job, old, queue)
    set_quotas(job, old, queue, project, user)
    set_times(job, old, queue)
    set_rerun(job, old, queue)
    event.accept()


main()
