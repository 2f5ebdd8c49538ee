#!/usr/bin/env python3
"""judge.py PROGRAM RECORDING...: compares plans with what real Grid Engine masters did.

A recording is a folder or a .tar.gz with runN/before and runN/after, bundles taken around scheduler run N.
The judge reads the bundles by itself: tasks that started (qstat -xml before and after, and accounting), and the
section that the run added to the schedule file. Of the program it knows only the JSON of "plan".

It prints one line for each run that differs, and the counts. A run is left out, and counted, if the bundles do not
hold exactly one run. Exit status: 0; 1 if fewer runs agree than --starts and --lines ask for (parts of 1).
"""
import argparse
import collections
import datetime
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import xml.etree.ElementTree as ElementTree

Run = collections.namedtuple("Run", "before after")


def text(folder, name):
    file = folder / name
    return file.read_text(errors="replace") if file.exists() else ""


def tasks_of(words):
    """The numbers of "1", "1-5:2" or "1,3-4"."""
    for part in words.split(","):
        bounds, _, step = part.partition(":")
        first, _, last = bounds.partition("-")
        yield from range(int(first), int(last or first) + 1, int(step or 1))


def running(folder):
    """Tasks that qstat shows with a start time, each with start and slots by queue instance."""
    found = {}
    for entry in ElementTree.fromstring(text(folder, "qstat.xml")).iter("job_list"):
        start, queue = entry.findtext("JAT_start_time"), entry.findtext("queue_name")
        if entry.get("state") != "running" or not start or not queue:
            continue
        for task in tasks_of(entry.findtext("tasks") or "1"):
            key = int(entry.findtext("JB_job_number")), task
            found[key] = start.partition(".")[0], queue, int(entry.findtext("slots") or 1)
    return found


def waiting(folder):
    """Numbers of the jobs that qstat lists."""
    return {int(n.text) for n in ElementTree.fromstring(text(folder, "qstat.xml")).iter("JB_job_number")}


def ended(run):
    """Tasks that accounting added between the bundles: start, queue instance and slots of each."""
    old, new = text(run.before, "accounting"), text(run.after, "accounting")
    found = {}
    for line in new[len(old):].splitlines() if new.startswith(old) else []:
        f = line.split(":")
        if len(f) > 35 and int(f[9]) > 0:
            found[int(f[5]), int(f[35]) or 1] = written(int(f[9]))[:19], f"{f[0]}@{f[1]}", int(f[34])
    return found


def recorded_lines(run):
    """Lines STARTING and RESERVING of the only run that the schedule file got between the bundles, else None."""
    old, new = text(run.before, "schedule"), text(run.after, "schedule")
    added = new[len(old):].splitlines() if new.startswith(old) else []
    if sum(line.startswith("::::::::") for line in added) != 1:
        return None
    return [line for line in added if re.match(r"\d+:\d+:(STARTING|RESERVING):", line)]


def planned(program, run, moment):
    command = [program, "plan", str(run.before), "--now", moment, "--format", "json", "--all"]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def written(moment):
    return datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def seconds(moment):
    return int(datetime.datetime.fromisoformat(moment.replace("Z", "+00:00")).timestamp())


def planned_lines(plan):
    """Lines STARTING and RESERVING that the plan implies, as split makes them of recorded ones."""
    for d in plan["gantt"]:
        for i in d["intervals"]:
            if i["state"] in ("STARTING", "RESERVING"):
                yield (i["job"], i["task"], i["state"], seconds(i["start"]), d["level"], d["object"], d["resource"],
                       float(i["amount"]))


def split(line):
    """A line of the schedule file; Open Cluster Scheduler writes its time in microseconds."""
    f = line.split(":")
    start = int(f[3]) if len(f[3]) < 14 else int(f[3]) // 1_000_000
    return int(f[0]), int(f[1]), f[2], start, f[5], f[6], f[7], float(f[8])


def moment_of(run, started, lines):
    """When the run began, by what tells it best, and not before the bundle; None if nothing tells it."""
    moments = {split(line)[3] for line in lines or [] if ":STARTING:" in line}
    moments = moments or {seconds(start + "Z") for start, _, _ in started.values()}
    taken = float(re.search(r"^taken_at (\S+)", text(run.before, "MANIFEST"), re.M).group(1))
    return written(max(moments.pop(), taken)) if len(moments) == 1 else None


def planned_starts(plan):
    """Tasks that the plan starts: the queue instances that may be the first, and the number of slots."""
    found = {}
    for d in plan["decisions"]:
        if d["verdict"] == "start":
            places = [s["queue"] for s in d["slots"]] + d.get("tied", [])
            slots = sum(s["slots"] for s in d["slots"])
            found.update({(int(d["job"]), task): (places, slots) for task in tasks_of(d["task"])})
    return found


def judge(program, run):
    """What is said of one run, and why: same, starts, places, lines, or left out."""
    was, now = running(run.before), running(run.after)
    now.update(ended(run))
    started = {k: v for k, v in now.items() if k not in was}
    lines = recorded_lines(run)
    moment = moment_of(run, started, lines)
    if not moment or len({start for start, _, _ in started.values()}) > 1:
        return "left out", "nothing started, or in more than one run"
    if any(job in waiting(run.after) - waiting(run.before) for job, _ in started):
        return "left out", "a job was submitted between the bundles"
    if set(was) - set(now):
        return "left out", "a task ended between the bundles"
    plan = planned(program, run, moment)
    ours = planned_starts(plan)
    if set(ours) != set(started):
        return "starts", f"only planned {sorted(ours.keys() - started)}, only recorded {sorted(started.keys() - ours)}"
    moved = [f"{k[0]}.{k[1]} on {v[1]} ({v[2]}), planned {ours[k][0][0]} ({ours[k][1]})"
             for k, v in sorted(started.items()) if v[1] not in ours[k][0] or v[2] != ours[k][1]]
    if moved:
        return "places", "; ".join(moved)
    told = {tuple(map(int, line.split(":")[:2])) for line in lines or [] if ":STARTING:" in line}
    if started.keys() - told:
        return "same", "the schedule file lacks lines of this run"
    have, want = without_ties(planned_lines(plan), plan), without_ties(map(split, lines), plan)
    if have != want:
        return "lines", f"only planned {list((have - want))[:3]}, only recorded {list((want - have))[:3]}"
    return "same", ""


def without_ties(lines, plan):
    """The lines but for those of queue instances and hosts, of tasks that have other places as good."""
    tied = {(int(d["job"]), task) for d in plan["decisions"] if d.get("tied") for task in tasks_of(d["task"])}
    return collections.Counter(line for line in lines if line[:2] not in tied or line[4] not in "QH")


def runs(recording, room):
    folder = pathlib.Path(recording)
    if folder.is_file():
        folder = pathlib.Path(room) / folder.name
        with tarfile.open(recording) as archive:
            archive.extractall(folder, filter="data")
    for before in sorted(folder.rglob("before")):
        if (before / "qstat.xml").exists() and (before.parent / "after" / "qstat.xml").exists():
            yield Run(before, before.parent / "after")


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("program")
    words.add_argument("recording", nargs="+")
    words.add_argument("--starts", type=float, default=0, help="least part of runs that start the same tasks")
    words.add_argument("--lines", type=float, default=0, help="least part of runs that agree in all")
    args = words.parse_args()
    count, why = collections.Counter(), collections.Counter()
    for recording in args.recording:
        with tempfile.TemporaryDirectory() as room:
            for run in runs(recording, room):
                kind, said = judge(args.program, run)
                count[kind] += 1
                if kind == "left out" or kind == "same" and said:
                    why[said] += 1
                elif kind != "same":
                    print(f"{recording} {run.before.parent.name}: {kind}: {said}")
    total = count.total() - count["left out"]
    starts = total - count["starts"]
    print(f"{total} runs: {starts} start the same tasks, {starts - count['places']} at the same places, "
          f"{count['same']} with the same lines")
    for said, n in sorted(why.items()):
        print(f"{n} runs: {said}")
    return int(not total or starts < args.starts * total or count["same"] < args.lines * total)


if __name__ == "__main__":
    sys.exit(main())
