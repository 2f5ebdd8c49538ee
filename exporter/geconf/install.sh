#!/bin/sh
# Installs what qprism migrate wrote, with qconf(1), as a manager on an administrative host. What was there is saved in the folder
# "before"; a second run changes nothing more.
set -eu
cd "$(dirname "$0")"
mkdir -p before work
save() { # file, options of qconf: once, so that a second run does not save what the first one made
	[ -e "before/$1" ] || { name=$1; shift; qconf "$@" > "before/$name" 2>/dev/null || : > "before/$name"; }
}
save sched_conf -ssconf
save complex -sc
save share_tree -sstree
save global -sconf global
save global_host -se global

# Adds an object from its file, or changes it where there is one.
put() { # option letters to show, add and modify; file; name of the object
	if qconf "$1" "$5" > /dev/null 2>&1; then qconf "$3" "$4"; else qconf "$2" "$4"; fi
}

if [ -f complex ]; then # own entries, and all others as they are
	qconf -sc > work/old
	awk 'NR == FNR { if ($0 !~ /^#/) own[$1] = 1; next } !($1 in own)' complex work/old > work/complex
	grep -v '^#' complex >> work/complex
	qconf -Mc work/complex
fi
for f in projects/*; do [ ! -f "$f" ] || put -sprj -Aprj -Mprj "$f" "$(awk '$1 == "name" { print $2 }' "$f")"; done
for f in users/*; do [ ! -f "$f" ] || put -suser -Auser -Muser "$f" "$(awk '$1 == "name" { print $2 }' "$f")"; done
for f in pes/*; do [ ! -f "$f" ] || put -sp -Ap -Mp "$f" "$(awk '$1 == "pe_name" { print $2 }' "$f")"; done
for f in rqs/*; do [ ! -f "$f" ] || put -srqs -Arqs -Mrqs "$f" "$(awk '$1 == "name" { print $2 }' "$f")"; done
if [ -f share_tree ]; then
	if qconf -sstree > /dev/null 2>&1; then qconf -Mstree share_tree; else qconf -Astree share_tree; fi
fi
if [ -f global_host ]; then
	while read -r name value; do qconf -mattr exechost complex_values "$name=$value" global; done < global_host
fi
if [ -f global ]; then # execd_params are a list: what is there stays
	qconf -sconf global > work/old
	awk 'NR == FNR { own[$1] = $2; next }
		$1 == "execd_params" && ($1 in own) && tolower($2) != "none" && index("," $2 ",", "," own[$1] ",") == 0 { $2 = $2 "," own[$1]; done[$1] = 1; print; next }
		$1 == "execd_params" && ($1 in own) && index("," $2 ",", "," own[$1] ",") > 0 { done[$1] = 1; print; next }
		$1 in own { print $1, own[$1]; done[$1] = 1; next }
		$0 !~ /^#/ { print }
		END { for (k in own) if (!(k in done)) print k, own[k] }' global work/old > work/global
	qconf -Mconf work/global
fi
qconf -ssconf > work/old
awk 'NR == FNR { own[$1] = $0; next } $1 in own { print own[$1]; next } { print }' sched_conf work/old > work/sched_conf
qconf -Msconf work/sched_conf
rm -rf work
