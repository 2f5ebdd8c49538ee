#!/bin/sh
# fuzz.sh AMOUNT: runs every fuzz target of the project, one after the other: 5000x inputs each, or 10s each. Inputs are the better
# amount for tests: at the end of a time "go test" can mistake its own deadline for a failure.
set -eu
amount=${1:-5000x}
cd "$(dirname "$0")/.."
grep -rl --include='*_test.go' '^func Fuzz' . | while read -r file; do
	package=$(dirname "$file")
	sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$file" | while read -r target; do
		printf '%s %s: ' "$package" "$target"
		go test "$package" -run '^$' -fuzz "^$target\$" -fuzztime "$amount" -fuzzminimizetime 1x -parallel 2 >/tmp/qprism-fuzz.$$ 2>&1 </dev/null || {
			cat /tmp/qprism-fuzz.$$
			rm -f /tmp/qprism-fuzz.$$
			exit 1
		}
		tail -n 1 /tmp/qprism-fuzz.$$
		rm -f /tmp/qprism-fuzz.$$
	done
done
