#!/usr/bin/env python3
"""Measures what qprism serve takes in a computing center: twenty Grid Engine clusters, captured and audited every five minutes.

usage: bench-serve.py DURATION     such as 30m; it needs bin/qprism and bin/sizing

Ten clusters have 300 jobs, eight have 5,000, two have 50,000. Small commands on this machine answer for the masters.
Each capture reads the next five minutes of its cluster. One page is open, and Prometheus asks every minute.
Exit status 1 if serve takes more than the bounds below.
"""
import datetime
import json
import os
import pathlib
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

CLASSES = [(300, 20, 10), (5_000, 100, 8), (50_000, 1_000, 2)]  # jobs, hosts, clusters
EVERY = 300
MOST_PROCESSOR, MOST_MEMORY, MOST_LATE = 25, 600, 30  # percent of one core, MB, seconds

# Answers as the bundle of the present moment; date is the first command of a capture, and goes to the next moment.
ANSWER = r"""#!/bin/sh
read moment <"$SGE_ROOT/moment"
now=$SGE_ROOT/moments/$moment
# objects FOLDER OPTION NAMES...: shows some objects of a kind
objects() {
	cd "$now/$1" || exit 1
	shift
	IFS=' ,' files=
	for word in $*; do
		case $word in -*) ;; *) files="$files $word.txt" ;; esac
	done
	exec cat $files
}
names() { ls "$now/$1" | sed 's/\.txt$//'; exit; }
case "${0##*/} $*" in
date*)
	next=$(ls "$SGE_ROOT/moments" | sed -n "/^$moment$/{n;p}")
	echo "$next" >"$SGE_ROOT/moment"
	exec /bin/date -u -d "@$(sed -n 's/^taken_at //p' "$SGE_ROOT/moments/$next/MANIFEST")" "$@" ;;
'qstat -help') file=qstat-help.txt ;;
qstat*' -j '*) file=qstat-j.xml ;;
qstat*' -f '*) file=qstat-f.xml ;;
qstat*-xml) file=qstat.xml ;;
qhost*) file=qhost.xml ;;
qrstat*) file=qrstat.xml ;;
'qconf -ssconf') file=sched_conf.txt ;;
'qconf -sstree') file=share_tree.txt ;;
'qconf -sconf') file=conf.txt ;;
'qconf -sc') file=complex.txt ;;
'qconf -secl') file=event_clients.txt ;;
'qconf -sm') file=managers.txt ;;
'qconf -so') file=operators.txt ;;
'qconf -sh') file=admin_hosts.txt ;;
'qconf -ss') file=submit_hosts.txt ;;
'qconf -sq '*) file='queues/all.q.txt' ;;
'qconf -suserl') names users ;;
'qconf -sprjl') names projects ;;
'qconf -sul') names usersets ;;
'qconf -shgrpl') names hostgroups ;;
'qconf -spl') names pes ;;
'qconf -suser '*) objects users "$@" ;;
'qconf -sprj '*) objects projects "$@" ;;
'qconf -su '*) objects usersets "$@" ;;
'qconf -shgrp '*) objects hostgroups "$@" ;;
'qconf -sp '*) objects pes "$@" ;;
'qconf -se '*) objects hosts "$@" ;;
*) echo 'no such object' >&2; exit 1 ;;
esac
exec cat "$now/$file"
"""


def make_cluster(room, name, seed, jobs, hosts, moments):
    """Makes the answers of a cluster, and returns its lines of the configuration."""
    root = room / name
    common = root / "default/common"
    common.mkdir(parents=True)
    (common / "act_qmaster").write_text(f"master-of-{name}\n")
    (common / "bootstrap").write_text(f"qmaster_spool_dir {root}/spool\n")
    (root / "moment").write_text("00000\n")
    (root / "settings.sh").write_text(f"SGE_ROOT={root} PATH={room}/bin:$PATH\nexport SGE_ROOT PATH\n")
    subprocess.run(["bin/sizing", root / "moments", str(hosts), str(jobs), str(moments), str(seed)], check=True)
    every = f'"*/{EVERY // 60} * * * *"'
    return f"  {name}:\n    settings: {root}/settings.sh\n    capture: {every}\n    audit: {every}\n"


def prepare(room, duration):
    """Makes the clusters and the configuration of serve, and returns the address of the page."""
    (room / "bin").mkdir()
    (room / "answer").write_text(ANSWER)
    (room / "answer").chmod(0o755)
    for program in ["date", "qconf", "qhost", "qrstat", "qstat"]:
        (room / "bin" / program).symlink_to("../answer")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = "127.0.0.1:%d" % free.getsockname()[1]
    config = f"store: {{file: store.db}}\nhealth: none\nlisten: {address}\nlog: json\nclusters:\n"
    seed = 0
    for jobs, hosts, clusters in CLASSES:
        for _ in range(clusters):
            seed += 1
            config += make_cluster(room, f"c{seed}-{jobs}", seed, jobs, hosts, -(-duration // EVERY) + 2)
    (room / "qprism.yaml").write_text(config)
    return address


def ask(address, stop):
    """Has the page open, and scrapes it as Prometheus does."""
    def watch():
        try:
            with urllib.request.urlopen(f"http://{address}/events") as events:
                for _ in events:
                    pass
        except OSError:
            pass  # serve has ended
    threading.Thread(target=watch, daemon=True).start()
    while not stop.wait(60):
        try:
            urllib.request.urlopen(f"http://{address}/metrics", timeout=10).read()
        except OSError:
            pass  # Prometheus waits so long, too; the next scrape gets what this one made


def processor(pid):
    """Seconds of processor of a process, and of its children that have ended."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own, kernel, children, their_kernel = (int(f) / os.sysconf("SC_CLK_TCK") for f in fields[11:15])
    return own + kernel, children + their_kernel


def peak(pid):
    """The most memory of a process so far, in MB."""
    return int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1]) / 1024


def seconds(span):
    """A span as Go prints it: 1m2.5s, 312ms."""
    units = {"h": 3600, "m": 60, "s": 1, "ms": 0.001, "µs": 1e-6}
    return sum(float(n) * units[unit] for n, unit in re.findall(r"([\d.]+)(h|ms|µs|m|s)", span))


def lateness(log, since):
    """How late the tasks of each kind began and ended: jobs and task to pairs of seconds; and what went wrong."""
    late, complaints = {}, []
    for line in re.findall(r"^{.*", log.read_text(), re.M):
        entry = json.loads(line)
        if entry["msg"] != "done":
            # the answers are generated, so no audit explains all numbers
            complaints += [line] if entry["level"] != "INFO" and not entry["msg"].startswith("unexplained") else []
            continue
        end = datetime.datetime.fromisoformat(entry["time"][:26].rstrip("Z") + "+00:00").timestamp()
        begin = end - seconds(entry["took"])
        due = begin // EVERY * EVERY
        if due > since:
            kind = entry["cluster"].partition("-")[2], entry["task"]
            late.setdefault(kind, []).append((begin - due, end - due))
    return late, complaints


def measure(room, address, duration):
    """Runs serve, and returns percent of its processor and its commands', its memory, and the beginning of the time."""
    time.sleep(-(time.time() + EVERY / 2) % EVERY)  # first captures are over when the next are due
    began, stop = time.time(), threading.Event()
    with (room / "log").open("w") as log:
        serve = subprocess.Popen(["bin/qprism", "serve", "--config", room / "qprism.yaml"], stderr=log)
    asking = threading.Thread(target=ask, args=(address, stop))
    asking.start()
    time.sleep(duration)
    own, children = (100 * s / (time.time() - began) for s in processor(serve.pid))
    memory = peak(serve.pid)
    stop.set()
    asking.join()
    serve.send_signal(signal.SIGTERM)
    serve.wait()
    return own, children, memory, began


def main():
    number, unit = re.fullmatch(r"(\d+)(m|h)", sys.argv[1]).groups()
    duration = int(number) * {"m": 60, "h": 3600}[unit]
    with tempfile.TemporaryDirectory() as folder:
        room = pathlib.Path(folder)
        own, children, memory, began = measure(room, prepare(room, duration), duration)
        late, complaints = lateness(room / "log", began)
    print(f"processor of serve         {own:.1f} % of one core")
    print(f"processor of its commands  {children:.1f} % of one core")
    print(f"peak of its memory         {memory:.0f} MB")
    print(f"load of the machine        {os.getloadavg()[2]:.1f} in the last 15 minutes")
    print("jobs   task     runs  begins late: median, most  ends late: median, most")
    for (jobs, task), pairs in sorted(late.items()):
        begins, ends = zip(*pairs)
        print(f"{jobs:6} {task:8} {len(pairs):4}  {statistics.median(begins):18.1f} s {max(begins):4.1f} s"
              f"  {statistics.median(ends):16.1f} s {max(ends):4.1f} s")
    print(*complaints, sep="\n")
    latest = max(end for pairs in late.values() for _, end in pairs)
    sys.exit(own > MOST_PROCESSOR or memory > MOST_MEMORY or latest > MOST_LATE or len(complaints) > 0)


if __name__ == "__main__":
    main()
