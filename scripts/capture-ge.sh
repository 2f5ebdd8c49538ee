#!/bin/sh
# capture-ge.sh: writes a bundle, which holds what a Grid Engine cluster says about itself, for qprism to read elsewhere.
#
# usage: capture-ge.sh [-o FILE.tar.gz | -d DIR] [-f] [-t] [-e] [-a MB] [-s MB] [-r MB]
#   -o FILE  write an archive (default: ge-CELL-DATE.tar.gz in the current folder)
#   -d DIR   write a folder instead
#   -f       replace FILE, or write into a DIR that is not empty
#   -t       list each pending array task, not each array job, in qstat.xml
#   -e       keep the jobs' environment variables, which may hold passwords, in qstat-j.xml
#   -a MB    so much of the end of the accounting file (default 10, 0 for none)
#   -s MB    so much of the end of the schedule and messages files (default 20, 0 for none)
#   -r MB    so much of the end of the reporting file (default 0)
#
# Run it on the master's host as root or as Grid Engine's admin user, with SGE_ROOT and SGE_CELL set as in
# $SGE_ROOT/$SGE_CELL/common/settings.sh. Elsewhere, or as another user, it captures what it can and says what it cannot.
# It only reads: about thirty calls of qstat, qhost and qconf. Nothing is written but the output.
#
# It needs a POSIX shell and the tools of 2008 (on Solaris: /usr/xpg4/bin/sh with /usr/xpg4/bin first in PATH).

LC_ALL=C
LANG=C
export LC_ALL LANG
umask 077

say() { printf '%s\n' "capture-ge.sh: $*" >&2; }
die() { say "$*"; exit 1; }
usage() { sed -n '/^# usage/,/^#   -r/s/^# *//p' "$0" >&2; exit 1; }

# --- options ---------------------------------------------------------------------------------------------------------

archive='' folder='' force='' tasks='' environment=''
accounting=10 records=20 reporting=0
while getopts o:d:ftea:s:r: option; do
	case $option in
	o) archive=$OPTARG ;;
	d) folder=$OPTARG ;;
	f) force=yes ;;
	t) tasks=yes ;;
	e) environment=yes ;;
	a) accounting=$OPTARG ;;
	s) records=$OPTARG ;;
	r) reporting=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -eq 0 ] || usage
[ -z "$archive" ] || [ -z "$folder" ] || die "-o and -d exclude each other"
for mb in "$accounting" "$records" "$reporting"; do
	case $mb in '' | *[!0-9]* | ????*) die "not a number of megabytes up to 999: $mb" ;; esac
done

# --- the clock -------------------------------------------------------------------------------------------------------

# seconds YEAR DAY HOUR MINUTE SECOND: prints the seconds from 1970 to a moment; DAY is that of the year. (date +%s is not POSIX.)
seconds() {
	y=$(($1 - 1))
	d=${2#0} # without the zeros that would make it octal
	d=${d#0}
	h=${3#0}
	m=${4#0}
	s=${5#0}
	echo $((((y * 365 + y / 4 - y / 100 + y / 400 + d - 719163) * 24 + h) * 3600 + m * 60 + s))
}

# now: prints the seconds since 1970, with a fraction if date knows one
now() {
	# shellcheck disable=SC2046 # six words
	set -- $(date -u '+%Y %j %H %M %S %N' 2>/dev/null || date -u '+%Y %j %H %M %S')
	case ${6-} in
	[0-9][0-9][0-9]*[!0-9]*) fraction='' ;;
	[0-9][0-9][0-9]*) fraction=.$6 ;;
	*) fraction='' ;;
	esac
	echo "$(seconds "$1" "$2" "$3" "$4" "$5")$fraction"
}

# utc_offset: prints local time minus UTC as +hhmm, to the minute. (date +%z is not POSIX.)
utc_offset() {
	# shellcheck disable=SC2046 # five words each
	set -- $(date '+%Y %j %H %M %S') $(date -u '+%Y %j %H %M %S')
	local_time=$(seconds "$1" "$2" "$3" "$4" "$5")
	utc_time=$(seconds "$6" "$7" "$8" "$9" "${10}")
	minutes=$(((local_time - utc_time + 1440 * 60 + 30) / 60 - 1440))
	sign=+
	[ $minutes -ge 0 ] || { sign=- minutes=$((-minutes)); }
	printf '%s%02d%02d\n' "$sign" $((minutes / 60)) $((minutes % 60))
}

# --- where Grid Engine is --------------------------------------------------------------------------------------------

# Debian's clients find their SGE_ROOT themselves.
[ -n "${SGE_ROOT-}" ] || { [ -d /var/lib/gridengine/default/common ] && SGE_ROOT=/var/lib/gridengine; }
[ -n "${SGE_ROOT-}" ] || die "SGE_ROOT is not set; run \". SGE_ROOT/CELL/common/settings.sh\" first"
SGE_CELL=${SGE_CELL:-default}
export SGE_ROOT SGE_CELL
common=$SGE_ROOT/$SGE_CELL/common

# arch: prints the name of the folder that programs are in. It starts a dozen processes, so ask only where one is not found.
arch() { "$SGE_ROOT/util/arch" 2>/dev/null; }

{ command -v qstat && command -v qconf && command -v qhost; } >/dev/null 2>&1 || PATH=$PATH:$SGE_ROOT/bin/$(arch)
export PATH
for program in qstat qconf; do
	command -v "$program" >/dev/null 2>&1 || die "no $program in PATH; run \". $common/settings.sh\" first"
done

# --- the output ------------------------------------------------------------------------------------------------------

[ -n "$archive$folder" ] || archive=ge-$SGE_CELL-$(date -u +%Y%m%dT%H%M%SZ).tar.gz
case $archive in -*) archive=./$archive ;; esac
case $folder in -*) folder=./$folder ;; esac
if [ -n "$archive" ]; then
	{ [ ! -e "$archive" ] || [ -n "$force" ]; } || die "$archive exists; -f replaces it"
	bundle=$archive.$$ # beside the archive, and removed when that is written
	mkdir "$bundle" || die "cannot write to the folder of $archive"
	trap 'rm -rf "$bundle" "$archive.part"' 0
	trap 'exit 1' 1 2 15
else
	bundle=$folder
	mkdir -p "$bundle" || die "cannot make the folder $folder"
	if [ -z "$force" ] && [ -n "$(ls -A "$bundle")" ]; then die "$folder is not empty; -f writes into it"; fi
	trap 'rm -f "$bundle/.err" "$bundle/.names" "$bundle/.part" "$bundle/.lacking"' 0
	trap 'exit 1' 1 2 15
fi
manifest=$bundle/MANIFEST
calls=0
newline='
'
: >"$bundle/.lacking"

# lacking WHAT WHY: notes for the summary what the bundle lacks
lacking() { printf '  not captured: %s (%s)\n' "$1" "$2" >>"$bundle/.lacking"; }

# complaint: prints what the last command complained of, in one line
complaint() { tr '\n' ' ' <"$bundle/.err" | sed -e 's/ *$//' -e 's/\(.\{300\}\).*/\1.../'; }

# note FILE STATUS COMMAND...: writes the line of a command into MANIFEST; an argument that is not one plain word is quoted
note() {
	line="command $1 rc=$2"
	shift 2
	for word; do
		case $word in
		'' | *[!A-Za-z0-9_@%+=:,./*-]*)
			# a newline would end the line, a quote would end the quoting
			case $word in
			*\'* | *"$newline"*) word=$(printf '%s' "$word" | tr '\n' ' ' | sed "s/'/'\\\\''/g") ;;
			esac
			word="'$word'"
			;;
		esac
		line="$line $word"
	done
	printf '%s\n' "$line" >>"$manifest"
}

# record FILE COMMAND...: records what a command prints. What it complains of while it fails goes to the summary, but for
# "no operator defined" and the like.
record() {
	file=$1
	shift
	"$@" >"$bundle/$file" 2>"$bundle/.err" </dev/null
	status=$?
	calls=$((calls + 1))
	note "$file" $status "$@"
	[ $status -eq 0 ] || none || lacking "$file" "$(complaint)"
	return $status
}

# none: whether the last command complained that there is nothing to show
none() {
	complained=''
	IFS= read -r complained <"$bundle/.err"
	case $complained in [Nn]o\ *) return 0 ;; *) return 1 ;; esac
}

# objects FILE LIST SHOW [NAME]: records all objects of a type, and the one named, in one file, one after another. qconf lists their
# names, and takes its option for showing one many times over.
objects() {
	file=$1
	list=$2
	show=$3
	first=${4-}
	qconf "$list" >"$bundle/.names" 2>"$bundle/.err" </dev/null || none || lacking "$file" "$(complaint)"
	calls=$((calls + 1))
	: >"$bundle/$file"
	set --
	[ -z "$first" ] || set -- "$show" "$first"
	while IFS= read -r name; do
		case $name in '' | "$first") continue ;; esac
		set -- "$@" "$show" "$name"
		[ $# -lt 200 ] || {
			objects_of "$file" "$@"
			set --
		}
	done <"$bundle/.names"
	[ $# -eq 0 ] || objects_of "$file" "$@"
	[ -s "$bundle/$file" ] || rm -f "$bundle/$file"
}

# objects_of FILE SHOW NAME SHOW NAME...: appends objects to a file. Where one has gone meanwhile, all are asked for singly.
objects_of() {
	file=$1
	shift
	qconf "$@" >"$bundle/.part" 2>"$bundle/.err" </dev/null
	status=$?
	calls=$((calls + 1))
	if [ $status -eq 0 ] || [ $# -eq 2 ]; then
		note "$file" $status qconf "$@"
		cat "$bundle/.part" >>"$bundle/$file"
		[ $status -eq 0 ] || lacking "$file: $2" "$(complaint)"
		return
	fi
	while [ $# -gt 1 ]; do
		objects_of "$file" "$1" "$2"
		shift 2
	done
}

# ending FILE PATH MEGABYTES: copies the end of a file of the master. The first line of a part is half of one.
ending() {
	[ "$3" -gt 0 ] && [ -e "$2" ] || return
	[ -r "$2" ] || { lacking "$1" "$2: no permission"; return; }
	bytes=$(($3 * 1000000))
	if [ $(($(wc -c <"$2"))) -gt $bytes ]; then
		tail -c $bytes "$2" 2>"$bundle/.err" | sed 1d >"$bundle/$1"
		note "$1" 0 tail -c $bytes "$2"
	else
		cat "$2" >"$bundle/$1" 2>"$bundle/.err"
		note "$1" $? cat "$2"
	fi
}

# --- which cluster it is ---------------------------------------------------------------------------------------------

# fact KEY VALUE: notes what tells this cluster from others of its name
fact() {
	case $2 in
	'') ;;
	*"$newline"*) printf 'identity %s %s\n' "$1" "$(printf '%s' "$2" | tr '\n' ' ')" >>"$manifest" ;;
	*) printf 'identity %s %s\n' "$1" "$2" >>"$manifest" ;;
	esac
}

# sum_of FILE: prints sum and length of a file
sum_of() { cksum "$1" 2>/dev/null | sed 's/^\([0-9]*\)[ 	]*\([0-9]*\).*/\1 \2/'; }

# installed FILE: notes sum and time of a file that the installation wrote
installed() {
	fact config "$(sum_of "$1")"
	fact made "$(stat -c %Y "$1" 2>/dev/null)" # not POSIX: where stat is another one, the time is not known
}

# machine HOST: notes what tells machines apart, on the master's own host
machine() {
	here=$(uname -n | tr '[:upper:]' '[:lower:]')
	there=$(printf '%s\n' "$1" | tr '[:upper:]' '[:lower:]')
	[ -n "$here" ] && [ "${here%%.*}" = "${there%%.*}" ] || return
	fact machine "$(sum_of /etc/machine-id)"
}

# identity: notes what the clients go by to find the master, and what the installation wrote
identity() {
	host=$(sed -n 1p "$common/act_qmaster" 2>/dev/null)
	port=${SGE_QMASTER_PORT-}
	[ -n "$port" ] || port=$(getent services sge_qmaster 2>/dev/null | sed -n '1s/^[^ 	]*[ 	]*\([0-9]*\).*/\1/p')
	fact host "$host"
	fact root "$SGE_ROOT"
	fact cell "$SGE_CELL"
	fact port "$port"
	[ ! -r "$common/bootstrap" ] || installed "$common/bootstrap"
	machine "$host" || :
	fact sequence "$(sed -n '1s/^\([0-9]\{1,\}\)$/\1/p' "$(sed -n 's/^qmaster_spool_dir[ 	]*//p' "$common/bootstrap" 2>/dev/null)/jobseqnum" 2>/dev/null)"
}

# --- what the cluster says -------------------------------------------------------------------------------------------

started=$(now)
{
	echo "taken_at $started"
	echo "utc_offset $(utc_offset)"
	[ ! -r "$common/act_qmaster" ] || echo "master $(sed -n 1p "$common/act_qmaster")"
	echo "cell $SGE_CELL"
} >"$manifest"
identity

qstat -help 2>/dev/null </dev/null | sed -n 1p >"$bundle/qstat-help.txt"
note qstat-help.txt 0 qstat -help

# Without -g d, tasks of an array job that have not started come as one line, whatever their number: one job can have 75,000
# of them. Nothing is lost, for the master itself keeps one set of values for all of them. Only tasks that have started once
# and wait again have values of their own; of these a line shows the first task's.
set -- qstat -u '*' -r -ext -urg -pri -xml
[ -z "$tasks" ] || set -- qstat -u '*' -r -ext -urg -pri -g d -xml
record qstat.xml "$@" || die "qstat cannot reach the master: $(complaint)"

# The same for people, for the XML lacks one number: urg.
set -- qstat -u '*' -urg
[ -z "$tasks" ] || set -- "$@" -g d
record qstat-urg.txt "$@"

# The share tree's usage and the jobs' details next: they belong to the same moment as the priorities.
# share_mon: prints where sge_share_mon is: by the folder of qconf, at Debian's place, in PATH, or by the machine's kind
share_mon() {
	kind=$(command -v qconf)
	kind=${kind%/*}
	for path in "$SGE_ROOT/utilbin/${kind##*/}/sge_share_mon" /usr/lib/gridengine/sge_share_mon "$(command -v sge_share_mon)"; do
		[ ! -x "$path" ] || { echo "$path"; return; }
	done
	path=$SGE_ROOT/utilbin/$(arch)/sge_share_mon
	[ ! -x "$path" ] || echo "$path"
}
record share_tree.txt qconf -sstree
if [ ! -s "$bundle/share_tree.txt" ]; then
	: # no share tree, no usage
elif program=$(share_mon) && [ -n "$program" ]; then
	record sge_share_mon.txt "$program" -c 1 -n -h
else
	lacking sge_share_mon.txt "no program sge_share_mon in $SGE_ROOT/utilbin/$(arch)"
fi

if [ -n "$environment" ]; then
	record qstat-j.xml qstat -u '*' -j '*' -xml
else
	echo "without qstat-j.xml JB_env_list" >>"$manifest"
	# the exit status of qstat comes through descriptor 3, past sed
	status=$({ { qstat -u '*' -j '*' -xml 2>"$bundle/.err" </dev/null; echo $? >&3; } |
		sed '/<JB_env_list>/,/<\/JB_env_list>/d' >"$bundle/qstat-j.xml"; } 3>&1)
	calls=$((calls + 1))
	note qstat-j.xml "$status" qstat -u '*' -j '*' -xml
	[ "$status" -eq 0 ] || lacking qstat-j.xml "$(complaint)"
fi

# Orders must not be sent by a listing that is too old: its age counts from here.
echo "listed_at $(now)" >>"$manifest"

# Only the running and suspended jobs by queue instance: the pending ones are in qstat.xml.
record qstat-f.xml qstat -u '*' -s rs -f -r -ext -urg -pri -F -xml
record qhost.xml qhost -q -F -j -xml
! command -v qrstat >/dev/null 2>&1 || record qrstat.xml qrstat -u '*' -xml # since 6.2

# That list lacks what each advance reservation was granted.
[ ! -s "$bundle/qrstat.xml" ] || reservations=$(sed -n 's/^ *<id>\([0-9]\{1,\}\)<\/id>.*/\1/p' "$bundle/qrstat.xml" | tr '\n' ',')
[ -z "${reservations-}" ] || record qrstat-ar.xml qrstat -ar "${reservations%,}" -xml || :

record sched_conf.txt qconf -ssconf || die "qconf cannot show the scheduler configuration: $(complaint)"
record conf.txt qconf -sconf
record complex.txt qconf -sc
record managers.txt qconf -sm
record operators.txt qconf -so
record admin_hosts.txt qconf -sh
record submit_hosts.txt qconf -ss
record event_clients.txt qconf -secl
record queues.txt qconf -sq '*'
record rqs.txt qconf -srqs
objects hosts.txt -sel -se global
objects users.txt -suserl -suser
objects projects.txt -sprjl -sprj
objects usersets.txt -sul -su
objects hostgroups.txt -shgrpl -shgrp
objects pes.txt -spl -sp
objects calendars.txt -scall -scal
objects ckpts.txt -sckptl -sckpt
objects host_confs.txt -sconfl -sconf

# --- what the master wrote -------------------------------------------------------------------------------------------

[ -d "$common" ] || lacking "schedule, accounting" "no folder $common"
ending schedule "$common/schedule" "$records"
ending accounting "$common/accounting" "$accounting"
ending reporting "$common/reporting" "$reporting"

spool=$(sed -n 's/^qmaster_spool_dir[ 	]*//p' "$common/bootstrap" 2>/dev/null)
messages=$spool/messages
[ ! -e "$spool/schedd/messages" ] || messages=$spool/schedd/messages # before 6.2 the scheduler was a daemon of its own
if [ "$records" -eq 0 ]; then
	: # not wanted
elif [ -r "$messages" ]; then
	bytes=$((records * 1000000))
	tail -c $bytes "$messages" 2>"$bundle/.err" | sed -e '/|schedu|/b' -e '/|schedd|/b' -e '/PROF/b' -e d >"$bundle/messages"
	note messages 0 tail -c $bytes "$messages"
else
	lacking messages "${messages}: not on this host, or no permission"
fi

# --- done ------------------------------------------------------------------------------------------------------------

finished=$(now)
release=$(sed -n 1p "$bundle/qstat-help.txt")
lacks=$(cat "$bundle/.lacking")
rm -f "$bundle/.err" "$bundle/.names" "$bundle/.part" "$bundle/.lacking"
output=$folder
if [ -n "$archive" ]; then
	output=$archive
	(cd "$bundle" && tar cf - -- *) | gzip -c >"$archive.part" || die "cannot write $archive"
	mv -f "$archive.part" "$archive" || die "cannot write $archive"
fi
say "$release, cell $SGE_CELL: $calls calls in $((${finished%.*} - ${started%.*})) s, written to $output"
[ -z "$lacks" ] || printf '%s\n' "$lacks" >&2
exit 0
