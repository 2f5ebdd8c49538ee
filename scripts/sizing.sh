#!/bin/bash
# sizing.sh [JOBS:HOSTS:BUNDLES...]: memory, disk and time of qprism for clusters of some sizes: the tables of docs/reference/sizing.md.
# It needs bin/qprism and Debian's package time.
set -euo pipefail
shopt -s nullglob
cd "$(dirname "$0")/.."
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
export QPRISM_STORE=$room/store.db

# measured COMMAND...: prints seconds and peak MB of a command
measured() {
	/usr/bin/time -q -f '%e %M' -o "$room/time" "$@" >/dev/null 2>"$room/errors" || [ $? = 3 ] || { cat "$room/errors" >&2; return 1; }
	awk '{ printf "%s s, %d MB", $1, $2 / 1024 }' "$room/time"
}

# size FILE...: megabytes
size() { du -cb "$@" | awk 'END { printf "%.1f", $1 / 1e6 }'; }

for spec in "${@:-100:10:100 300:20:300 5000:100:60 50000:1000:4}"; do
	for one in $spec; do
		IFS=: read -r jobs hosts bundles <<<"$one"
		rm -rf "$room/bundles" "$QPRISM_STORE"
		go run ./cmd/sizing "$room/bundles" "$hosts" "$jobs" "$bundles"
		first=$room/bundles/00000
		job=$(bin/qprism priorities "$first" --pending --format tsv 2>/dev/null | sed -n 2p | cut -f 1)
		echo "$jobs jobs, $hosts hosts"
		echo "  listings           $(size "$first") MB"
		echo "  audit              $(measured bin/qprism audit "$first")"
		echo "  why                $(measured bin/qprism why "$job" "$first")"
		echo "  forecast           $(measured bin/qprism forecast "$first")"
		echo "  first import       $(measured bin/qprism import "$first")"
		one=$(stat -c %s "$QPRISM_STORE")
		echo "  store after it     $(size "$QPRISM_STORE") MB"
		echo "  $((bundles - 1)) more imports    $(measured bin/qprism import "$room"/bundles/*[!0] "$room"/bundles/*[1-9]0)"
		all=$(stat -c %s "$QPRISM_STORE")
		echo "  each more in store $(((all - one) / (bundles - 1) / 1000)) kB"
		echo "  why, stored        $(measured bin/qprism why "$job")"
	done
done
