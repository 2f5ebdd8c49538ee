#!/bin/sh
# fuzz.sh AMOUNT: runs every fuzz target of the project, one after the other: 2000x inputs each, or 10s each. Inputs are the better
# amount for tests: at the end of a time "go test" can mistake its own deadline for a failure. Each package is built once,
# without what a debugger reads.
set -eu
amount=${1:-2000x}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u >"$work/packages"
while read -r package; do
	go test -c -ldflags=-w -fuzz=Fuzz -o "$work/fuzz.test" "$package"
	cd "$root/$package"
	sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' ./*_test.go >"$work/targets"
	while read -r target; do
		"$work/fuzz.test" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$amount" -test.fuzzminimizetime 1x \
			-test.fuzzcachedir "$work/cache" -test.parallel 2 >"$work/said" 2>&1 </dev/null || {
			echo "$package $target:"
			cat "$work/said"
			exit 1
		}
		echo "$package $target: $(tail -n 1 "$work/said")"
	done <"$work/targets"
	cd "$root"
done <"$work/packages"
