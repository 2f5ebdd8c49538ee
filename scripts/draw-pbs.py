#!/usr/bin/env python3
"""Draws PBS policies at random, plays them on a private OpenPBS, and compares each cycle with `qprism plan`.

usage: draw-pbs.py SERVER FOLDER FROM TO     play the seeds FROM to TO-1, and keep the bundles in FOLDER
       draw-pbs.py --judge FOLDER            compare the kept bundles again
       KIND=preempt draw-pbs.py …            policies in which jobs preempt others, and five cycles of each

It DELETES ALL JOBS of the server and overwrites its policy: name the server, as pbs.conf has it, to allow that.
Run it as root on the host of a private server with one mom. The mom needs eight vnodes, v0 to v7, with other hosts
(pbs_mom -s insert), the server the host-level resources rack and switch (string_array), the machine the users below.
Exit status 1 if a cycle differs in order, starts, vnodes or comments.
"""
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import time

USERS = ["alice", "bob", "carol", "dave", "erin"]
QUEUES = ["workq", "q1", "q2", "express", "p_q", "np_q"]
QUEUED = ["workq", "q1", "q2", "workq", "q1", "express", "p_q", "np_q"]
SETS = ["rack", "switch", "rack,switch", "switch,rack", "host"]
ORDERS = ["S", "R", "SCR", "SCR 80 SC 50 S"]
PREEMPT_ORDERS = ["R 60 S", "S 50 R", "SCR 80 SC 50 S", "R 90 S 70 R 50 D", "S", "R"]
LEVELS = ["express_queue, normal_jobs", "express_queue+server_softlimits, express_queue, normal_jobs, server_softlimits",
          "express_queue, queue_softlimits+fairshare, normal_jobs, fairshare, queue_softlimits, server_softlimits"]
PREEMPTS = os.environ.get("KIND") == "preempt"
HERE = pathlib.Path(__file__).resolve().parent
TREE = "phys 10 root 50\nchem 20 root 30\nalice 11 phys 30\nbob 12 phys 10\ncarol 21 chem 20\nacctA 40 root 20\nq1 42 root 15\n"


def sh(command, check=True):
    run = subprocess.run(command, shell=True, capture_output=True, text=True)
    if check and run.returncode:
        sys.exit(f"{command}\n{run.stdout}{run.stderr}")
    return run.stdout.strip()


def qmgr(directive, check=True):
    return sh("qmgr -c " + shlex.quote(directive), check)


class Server:
    def __init__(self, name):
        conf = pathlib.Path(os.environ.get("PBS_CONF_FILE", "/etc/pbs.conf")).read_text()
        conf = dict(line.split("=", 1) for line in conf.splitlines() if "=" in line)
        if conf["PBS_SERVER"] != name:
            sys.exit(f"this machine's server is {conf['PBS_SERVER']}, not {name}")
        self.name, self.exec = name, pathlib.Path(conf["PBS_EXEC"])
        self.home = pathlib.Path(conf["PBS_HOME"])
        self.sched = self.home / "sched_priv"

    def cycles(self):
        log = self.home / "sched_logs" / time.strftime("%Y%m%d")
        return log.read_text(errors="replace").count("Leaving Scheduling Cycle")

    def cycle(self):
        seen = self.cycles()
        qmgr("set server scheduling=true")
        for _ in range(200):
            time.sleep(0.05)
            if self.cycles() > seen:
                break
        qmgr("set server scheduling=false")
        time.sleep(1.5)

    def clear(self):
        qmgr("set server scheduling=false")
        if ids := sh("qselect", False).split():
            sh("qdel -W force " + " ".join(ids), False)
        time.sleep(1)
        qmgr("set server log_events=2047")
        qmgr("set sched default log_events=2047")
        for queue in QUEUES:
            qmgr(f"create queue {queue} queue_type=e,enabled=t,started=t", False)
            for a in ("max_run", "backfill_depth", "node_group_key"):
                qmgr(f"unset queue {queue} {a}", False)
        for a in ("max_run", "backfill_depth", "job_sort_formula", "node_group_key"):
            qmgr(f"unset server {a}", False)
        for a in ("job_sort_formula", "job_sort_formula_threshold"):
            qmgr(f"unset sched {a}", False)

    def restart_scheduler(self):
        for name in ("usage", "usage.bak", "usage.touch"):
            (self.sched / name).unlink(missing_ok=True)
        os.kill(int((self.sched / "sched.lock").read_text().split()[0]), 15)
        time.sleep(1.5)
        subprocess.run([self.exec / "sbin/pbs_sched"])
        time.sleep(1.5)


def draw_options(r):
    """The lines of sched_config: a name has one line, or one for each of several keys or times."""
    o = {"by_queue": [r.choice(["True ALL", "False ALL"])], "round_robin": [r.choice(["False all", "False all", "True all"])]}
    if o["round_robin"] == ["True all"]:
        o["by_queue"] = ["False ALL"]
    o["strict_ordering"] = r.choice([["false ALL"], ["true ALL"], ["true prime", "false non_prime"]])
    o["backfill_prime"] = [r.choice(["false ALL", "true ALL"])]
    o["prime_spill"] = [r.choice(["0:00:00 ALL", "0:10:00 ALL"])]
    o["fair_share"] = [r.choice(["true ALL", "false ALL"])]
    o["fairshare_entity"] = [r.choice(["euser", "egroup", "Account_Name", "queue", "egroup:euser"])]
    o["fairshare_usage_res"], o["unknown_shares"] = ["ncpus*walltime"], ["10"]
    o["fairshare_decay_time"], o["fairshare_decay_factor"] = ["00:00:20"], ["0.5"]
    o["preemptive_sched"] = [r.choice(["true ALL", "false ALL"])]
    o["smp_cluster_dist"] = [r.choice(["pack", "pack", "round_robin"])]
    if PREEMPTS:
        o["preemptive_sched"] = ["true ALL"]
        o["fair_share"] = [r.choice(["true ALL", "false ALL", "false ALL"])]
    keys = ["ncpus HIGH", "ncpus LOW", "walltime HIGH", "walltime LOW", "job_priority HIGH", "mem LOW"]
    o["job_sort_key"] = [f'"{k}" ALL' for k in r.sample(keys, r.choice([0, 0, 1, 2]))]
    keys = [["sort_priority HIGH"], ["ncpus HIGH unused"], ["ncpus LOW unused"], ["sort_priority HIGH", "ncpus HIGH assigned"], []]
    o["node_sort_key"] = [f'"{k}" ALL' for k in r.choice(keys)]
    return o


def write_options(server, r):
    text = (server.exec / "etc/pbs_sched_config").read_text()
    for name, lines in draw_options(r).items():
        text = re.sub(rf"(?m)^#?\s*{name}:.*$", "", text) + "".join(f"\n{name}: {line}" for line in lines)
    (server.sched / "sched_config").write_text(text + "\n")
    (server.sched / "resource_group").write_text(TREE)
    now = time.localtime()
    until = (now.tm_hour * 60 + now.tm_min + r.choice([-60, 10, 30, 90])) % 1440
    hours = f"{until // 60:02}{until % 60:02}"
    days = "".join(f"  {day} 0000 {hours}\n" for day in ("weekday", "saturday", "sunday"))
    (server.sched / "holidays").write_text(f"YEAR {now.tm_year}\n{days}" if r.random() < 0.5 else f"YEAR {now.tm_year}\n")


def set_policy(server, r):
    for queue in ("workq", "q1", "q2", "p_q", "np_q"):
        qmgr(f"set queue {queue} priority={r.choice([0, 10, 50, 90])}")
    qmgr("set queue express priority=200")
    if r.random() < 0.3:
        formula = ["ncpus*10+job_priority", "walltime/60-ncpus", "queue_priority+job_priority", "fairshare_factor*100",
                   "fairshare_perc*10+ncpus"]
        qmgr(f'set server job_sort_formula = "{r.choice(formula)}"')
    if r.random() < 0.4:
        qmgr(f'set server max_run = "[u:PBS_GENERIC={r.choice([1, 2, 3])}]"')
    if r.random() < 0.4:
        qmgr(f'set queue {r.choice(["q1", "q2"])} max_run = "[o:PBS_ALL={r.choice([1, 2])}]"')
    if r.random() < 0.4:
        qmgr(f"set server backfill_depth = {r.choice([0, 1, 3])}")
    qmgr(f'set sched preempt_order = "{r.choice(PREEMPT_ORDERS if PREEMPTS else ORDERS)}"')
    qmgr(f'set sched preempt_prio = "{r.choice(LEVELS) if PREEMPTS else LEVELS[0]}"')
    if PREEMPTS:
        set_preemption(r)
    qmgr(f"set server node_group_enable={r.choice('ttf')}")
    qmgr(f'set server node_group_key="{r.choice(SETS)}"')
    if r.random() < 0.4:
        qmgr(f'set queue q1 node_group_key="{r.choice(SETS)}"')
    qmgr(f"set sched only_explicit_psets={r.choice('tf')}")
    qmgr(f"set sched do_not_span_psets={r.choice('tff')}")


def set_preemption(r):
    if r.random() < 0.5:
        qmgr("unset sched preempt_sort")
    else:
        qmgr("set sched preempt_sort = min_time_since_start")
    qmgr("unset server restrict_res_to_release_on_suspend", False)
    if r.random() < 0.3:
        qmgr("set server restrict_res_to_release_on_suspend = ncpus")
    for where in ("server", "queue q1"):
        qmgr(f"unset {where} max_run_soft", False)
        if r.random() < 0.5:
            qmgr(f'set {where} max_run_soft = "[u:PBS_GENERIC={r.choice([1, 2, 3])}]"')


def set_vnodes(server, r):
    qmgr(f"set node {server.name} resources_available.ncpus={r.choice([0, 0, 2, 4])}")
    for i in range(8):
        switch = r.choice(["s1", "s2", '"s1,s2"'])
        qmgr(f"set node v{i} resources_available.rack={r.choice(['r1', 'r2', 'r3'])}")
        qmgr(f"set node v{i} resources_available.switch={switch}")
        qmgr(f"set node v{i} priority={r.choice([0, 5, 5, 9])}")
        qmgr(f"set node v{i} resources_available.ncpus={r.choice([1, 2, 2, 4])}")


def submit(r, count, queues=QUEUED):
    for _ in range(count):
        chunks = "+".join(f"{r.choice([1, 1, 2, 3, 4])}:ncpus={r.choice([1, 1, 2, 4])}" for _ in range(r.choice([1, 1, 1, 2])))
        queue = r.choice(queues)
        options = f"-l select={chunks} -p {r.choice([0, 0, 5, -3])} -q {queue} -r {r.choice('yyn')}"
        place = r.choice(["", "", "", "free", "pack", "scatter", "vscatter", "free:excl", "scatter:exclhost", "free:group=rack"])
        options += f" -l place={place}" if place else ""
        walltimes = ["00:30", "01:00", "02:00"] if PREEMPTS else ["01:00", "05:00", "20:00"]
        options += f" -l walltime=00:{r.choice(walltimes)}" if r.random() < 0.85 else ""
        options += f" -A {r.choice(['acctA', 'acctB'])}" if r.random() < 0.6 else ""
        command = f"cd /tmp; PATH={os.environ['PATH']} qsub {options} -o /dev/null -j oe -- /bin/sleep 600"
        sh(f"su {r.choice(USERS)} -s /bin/bash -c {shlex.quote(command)}")


def play(server, folder, seed):
    r = random.Random(seed)
    server.clear()
    set_policy(server, r)
    set_vnodes(server, r)
    write_options(server, r)
    server.restart_scheduler()
    submit(r, 14, ["workq", "q1", "q2", "workq"] if PREEMPTS else QUEUED)
    for i in range(1, 6 if PREEMPTS else 4):
        sh(f"sh {HERE}/capture-pbs.sh -f -d {folder}/{seed}/{i}/before", False)
        server.cycle()
        sh(f"sh {HERE}/capture-pbs.sh -f -d {folder}/{seed}/{i}/after", False)
        running = sh("qselect -s R", False).split()
        for job in r.sample(running, min(len(running), r.choice([1, 2]))):
            sh("qdel -W force " + job, False)
        if i == 1:
            submit(r, 3)
        elif PREEMPTS:
            submit(r, 2, ["express", "express", "workq"])
        time.sleep(r.choice([3, 8, 20] if PREEMPTS else [3, 8]))


def number(job):
    return str(job).split(".")[0]


def logged(folder, taken):
    """The first cycle of the log since a moment: jobs considered, jobs run, when it began, and whether no other followed."""
    considered, run, begun, cycles, start = [], [], False, 0, 0
    for line in (folder / "sched_log.txt").read_text(errors="replace").splitlines():
        part = line.split(";")
        if len(part) < 6:
            continue
        if part[5].startswith("Starting Scheduling Cycle"):
            at = moment(part[0])
            cycles += at >= taken
            begun = cycles == 1
            start = at if begun else start
        elif begun and part[5].startswith("Considering job to run"):
            considered.append(number(part[4]))
        elif begun and part[5].startswith("Job run"):
            run.append(number(part[4]))
    return considered, run, start, cycles == 1


def moment(text):
    return time.mktime(time.strptime(text[:19], "%m/%d/%Y %H:%M:%S"))


def moved(after, taken, start):
    """Whether a job ended between the bundle and the cycle, by its walltime: then the plan had another cluster."""
    records = [line.split(";") for line in (after / "accounting.txt").read_text(errors="replace").splitlines()]
    return any(len(r) > 3 and r[1] == "E" and taken <= moment(r[0]) <= start for r in records)


def without_memory(vnodes):
    return re.sub(r":mem=[^:)+]*", "", vnodes or "")


def judge_cycle(before):
    """What differs between the plan of a bundle and the cycle that followed, by kind."""
    after = before.parent / "after"
    taken = int(re.search(r"(?m)^taken_at (\d+)", (before / "MANIFEST").read_text())[1])
    considered, run, start, only = logged(after, taken)
    jobs = {number(k): v for k, v in json.loads((after / "qstat_f.json").read_text(errors="replace")).get("Jobs", {}).items()}
    qprism = os.environ.get("QPRISM", "qprism")
    text = subprocess.run([qprism, "plan", before, "--format", "json"], capture_output=True, text=True, check=True).stdout
    rows = [(number(d["job"]), d) for d in json.loads(text)["decisions"]]
    decisions = dict(rows)  # the last one of a job that was preempted in the cycle
    found = {}
    if subprocess.run([qprism, "audit", after], capture_output=True).returncode:
        found["audit"] = "qprism audit of the bundle after the cycle does not agree"
    if moved(after, taken, start):
        return found | {"moved": "a job ended between the bundle and the cycle; only the audit is compared"}
    order, starts = [j for j, _ in rows], [j for j, d in rows if d["verdict"] in ("start", "now")]
    if [j for j in order if j in considered] != considered:  # jobs of closed queues and after the end are not looked at
        found["order"] = f"log {considered}, plan {order}"
    if starts != run:
        found["starts"] = f"log {run}, plan {starts}"
    for j in set(starts) & set(run) & set(jobs):
        real, ours = without_memory(jobs[j].get("exec_vnode")), without_memory(decisions[j].get("exec_vnode"))
        if real and real != ours:
            found["vnodes"] = f"{j}: log {real}, plan {ours}"
    for j in set(considered) - set(run) - set(starts) if only else ():  # later cycles write other comments
        real = jobs.get(j, {}).get("comment", "").strip()
        ours = [w["comment"].strip() for w in decisions.get(j, {}).get("why", [])][:1]
        if real and [real] != ours:
            found["comments"] = f"{j}: master {real!r}, plan {ours}"
    return found


def judge(folder):
    total, differ = 0, {}
    for before in sorted(pathlib.Path(folder).glob("*/*/before")):
        total += 1
        for kind, text in judge_cycle(before).items():
            differ[kind] = differ.get(kind, 0) + 1
            print(before.relative_to(folder), kind, text)
    without = differ.pop("moved", 0)
    print(f"{total} cycles, {without} without a plan; that differ: {differ or 'none'}")
    return 1 if differ or not total else 0


def main(args):
    if len(args) == 2 and args[0] == "--judge":
        return judge(args[1])
    if len(args) != 4:
        sys.exit(__doc__)
    server = Server(args[0])
    for seed in range(int(args[2]), int(args[3])):
        play(server, args[1], seed)
        print("played", seed, flush=True)
    return judge(args[1])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
