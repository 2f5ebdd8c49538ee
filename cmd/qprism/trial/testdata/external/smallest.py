#!/usr/bin/env python3
"""Jobs that ask for fewer slots come first, among equals those that wait longer."""
import json
import sys

queue = json.load(sys.stdin)
jobs = {job["number"]: job for job in queue["snapshot"]["jobs"]}


def slots(job):
    return max((r["max"] for r in job.get("pe_range", [])), default=1)


order = sorted(queue["order"], key=lambda n: (slots(jobs[n]), jobs[n]["submitted"], n))
json.dump({"order": order}, sys.stdout)
