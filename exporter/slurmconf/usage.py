#!/usr/bin/env python3
"""Puts usage into the state of slurmctld, which must not run, and must have run before.

usage.py usage.tsv: lines of account, user (empty for the account itself) and usage in seconds of processors; the first
line, "at", says of which second since 1970 they are. All usage that was there before is replaced.
"""
import os
import re
import struct
import subprocess
import sys


def setting(name):
    conf = os.environ.get("SLURM_CONF", "/etc/slurm/slurm.conf")
    with open(conf) as lines:
        found = re.findall(r"(?im)^\s*%s\s*=\s*(\S+)" % name, lines.read())
    if not found:
        sys.exit("%s has no %s" % (conf, name))
    return found[-1]


def associations(cluster):
    text = subprocess.run(["sacctmgr", "-nP", "show", "assoc", "cluster=" + cluster, "format=id,account,user,partition"],
                          check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
    rows = (line.split("|") for line in text.splitlines())
    return {(row[1].strip(), row[2]): int(row[0]) for row in rows if not row[3]}


def text(value):
    data = value.encode() + b"\0"
    return struct.pack(">I", len(data)) + data


def rewrite(path, data):  # in place: owner and mode stay
    with open(path, "r+b") as state:
        state.write(data)
        state.truncate()
        os.fsync(state.fileno())


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if subprocess.run(["scontrol", "ping"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
        sys.exit("slurmctld runs: stop it first")
    with open(sys.argv[1]) as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines if not line.startswith("#")]
    at, rows = int(rows[0][1]), rows[1:]
    numbers = associations(setting("ClusterName"))
    records = b""
    for account, user, usage in rows:
        if (account, user) not in numbers:
            sys.exit("no association of user %r in account %r: load sacctmgr.cfg first" % (user, account))
        records += struct.pack(">I", numbers[account, user]) + text(usage) + text("") + struct.pack(">I", 0)
    state = setting("StateSaveLocation")
    with open(os.path.join(state, "assoc_usage"), "rb") as old:
        head = old.read(10)  # the version of the file, and a time
    with open(os.path.join(state, "priority_last_decay_ran"), "rb") as old:
        reset = old.read(16)[8:]
    rewrite(os.path.join(state, "assoc_usage"), head + records)
    rewrite(os.path.join(state, "priority_last_decay_ran"), struct.pack(">Q", at) + reset)
    print("usage of %d associations" % len(rows))


main()
