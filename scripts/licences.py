#!/usr/bin/env python3
"""licences.py RESOURCE=FEATURE ...: for qprism drive --policy 'external licences.py matlab=MATLAB'.

Jobs that ask for a RESOURCE of which the licence server has too few left must not start now. The server's counts are what lmstat -a prints,
or what the command in LMSTAT does. What is free goes to jobs in the order in which the scheduler tries them."""
import json
import os
import re
import subprocess
import sys

COUNTS = re.compile(r"Users of (\S+):\s+\(Total of (\d+) licenses? issued;\s+Total of (\d+) licenses? in use\)")


def free_licences(text):
    return {feature: int(issued) - int(used) for feature, issued, used in COUNTS.findall(text)}


def asked(job, features):
    """What a job needs of each feature: its requests, for each slot of a parallel job."""
    slots = min((r["min"] for r in job.get("pe_range") or []), default=1)
    return {features[r["resource"]]: int(float(r["value"])) * slots for r in job.get("hard") or [] if r["resource"] in features}


def decide(queue, features, free):
    jobs = {job["number"]: job for job in queue["snapshot"]["jobs"]}
    rules, left = [], dict(free)
    for number in queue["order"]:
        need = asked(jobs[number], features)
        short = [f"{f}: needs {n}, {max(left[f], 0)} of the {max(free[f], 0)} free licences are left for it" for f, n in need.items() if n > left[f]]
        if short:
            rules.append({"jobs": [str(number)], "not_now": "; ".join(short)})
            continue
        for feature, n in need.items():
            left[feature] -= n
    return {"rules": rules}


def main():
    features = dict(word.split("=", 1) for word in sys.argv[1:])
    command = os.environ.get("LMSTAT", "lmstat -a")
    counts = subprocess.run(command, shell=True, capture_output=True, text=True)
    free = free_licences(counts.stdout)
    unknown = sorted(set(features.values()) - set(free))
    if counts.returncode or unknown:  # qprism drive goes on with what it knew last
        sys.exit(f"licences.py: {command} tells nothing of {', '.join(unknown) or 'anything'}: {counts.stderr.strip()}")
    json.dump(decide(json.load(sys.stdin), features, free), sys.stdout)


if __name__ == "__main__":
    main()
