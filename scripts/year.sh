#!/bin/bash
# year.sh STORE.db HOSTS JOBS SNAPSHOTS: makes a store of that many snapshots, five minutes apart, or continues one, and
# measures what a site asks of it: seconds and peak MB of each command. It needs bin/qprism and Debian's package time.
set -euo pipefail
cd "$(dirname "$0")/.."
store=$1
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT

# measured COMMAND...: a row of the table
measured() {
	/usr/bin/time -q -f '%e %M' -o "$room/time" bin/qprism --store "$store" "$@" >"$room/out" 2>"$room/errors" || [ $? = 3 ] || { cat "$room/errors" >&2; return 1; }
	printf '| `%s` | ' "$*"
	awk '{ printf "%.2f s | %d MB |\n", $1, $2 / 1024 }' "$room/time"
}

${SIZING:-go run ./cmd/sizing} "$@"
bytes=$(stat -c %s "$store")
echo "$4 snapshots of $3 jobs: $((bytes / 1000000)) MB, $((bytes / $4 / 1000)) kB a snapshot"
echo '| command | time | memory |'
echo '|---|---|---|'
job=$(bin/qprism --store "$store" priorities --pending --format tsv 2>/dev/null | sed -n 2p | cut -f 1)
days=$(($4 / 288 + 1))
last=$(bin/qprism --store "$store" db list --format tsv | tail -n 1 | cut -f 4)
middle=$(bin/qprism --store "$store" db list --format tsv | sed -n "$(($4 / 2 + 1))p" | cut -f 4)
measured history "$job"
measured shares --since "${days}d"
measured timeline --since "${days}d"
measured timeline --passed --since "$(date -u -d "$last - 4 hours" +%FT%TZ)"
measured why "$job"
old=$(bin/qprism --store "$store" priorities --snapshot $(($4 / 2)) --pending --format tsv 2>/dev/null | sed -n 2p | cut -f 1)
measured explain "$old" --at "$middle"
measured history "$old"
measured db check
