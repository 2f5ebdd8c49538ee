#!/bin/sh
# capture-pbs.sh: writes a bundle, which holds what a PBS or Torque cluster says about itself, for qprism to read elsewhere.
#
# usage: capture-pbs.sh [-o FILE.tar.gz | -d DIR] [-f] [-e] [-a MB] [-s MB] [-I NAME]
#   -o FILE  write an archive (default: pbs-SERVER-DATE.tar.gz in the current folder)
#   -d DIR   write a folder instead
#   -f       replace FILE, or write into a DIR that is not empty
#   -e       keep the jobs' environment variables, which may hold passwords
#   -a MB    so much of the end of the accounting files of the last two days (default 10, 0 for none)
#   -s MB    so much of the end of the scheduler's log of the last two days (default 20, 0 for none)
#   -I NAME  of several schedulers the one whose files are captured (default: default)
#
# Run it on the server's host as root: only root may read the scheduler's files and ask pbsfs. Elsewhere, or as another user,
# it captures what it can and says what it cannot. It only reads: about fifteen calls of qstat, pbsnodes and qmgr, and one of
# pbsfs for each entity of the fairshare tree, a hundred at most. Nothing is written but the output.
#
# It needs a POSIX shell.

LC_ALL=C
LANG=C
export LC_ALL LANG
umask 077

say() { printf '%s\n' "capture-pbs.sh: $*" >&2; }
die() { say "$*"; exit 1; }
usage() { sed -n '/^# usage/,/^#   -I/s/^# *//p' "$0" >&2; exit 1; }

# --- options ---------------------------------------------------------------------------------------------------------

archive='' folder='' force='' environment='' scheduler=default
accounting=10 records=20
while getopts o:d:fea:s:I: option; do
	case $option in
	o) archive=$OPTARG ;;
	d) folder=$OPTARG ;;
	f) force=yes ;;
	e) environment=yes ;;
	a) accounting=$OPTARG ;;
	s) records=$OPTARG ;;
	I) scheduler=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -eq 0 ] || usage
[ -z "$archive" ] || [ -z "$folder" ] || die "-o and -d exclude each other"
for mb in "$accounting" "$records"; do
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

# now: prints the seconds since 1970
now() {
	# shellcheck disable=SC2046 # five words
	set -- $(date -u '+%Y %j %H %M %S')
	seconds "$1" "$2" "$3" "$4" "$5"
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

# --- where PBS is ----------------------------------------------------------------------------------------------------

# setting NAME: prints a setting of pbs.conf; the environment goes before it
setting() {
	eval "value=\${$1-}"
	[ -n "$value" ] || value=$(sed -n "s/^[ 	]*$1=//p" "${PBS_CONF_FILE:-/etc/pbs.conf}" 2>/dev/null | sed -n '$p')
	printf '%s\n' "$value"
}

exec_dir=$(setting PBS_EXEC)
home=$(setting PBS_HOME)
[ -n "$exec_dir" ] || exec_dir=/opt/pbs
[ -n "$home" ] || { home=/var/spool/pbs; [ -d $home ] || home=/var/spool/torque; }
PATH=$PATH:$exec_dir/bin:$exec_dir/sbin
export PATH
for program in qstat qmgr; do
	command -v "$program" >/dev/null 2>&1 || die "no $program in PATH, and none in $exec_dir/bin; set PBS_EXEC"
done

# --- the output ------------------------------------------------------------------------------------------------------

server=$(setting PBS_SERVER)
[ -n "$server" ] || server=$(uname -n)
[ -n "$archive$folder" ] || archive=pbs-$server-$(date -u +%Y%m%dT%H%M%SZ).tar.gz
case $archive in -*) archive=./$archive ;; esac
case $folder in -*) folder=./$folder ;; esac
if [ -n "$archive" ]; then
	{ [ ! -e "$archive" ] || [ -n "$force" ]; } || die "$archive exists; -f replaces it"
	bundle=$archive.$$ # beside the archive, and removed when that is written
	mkdir "$bundle" || die "cannot write to the folder of $archive"
	trap 'rm -rf "$bundle" "$archive.part"' 0
else
	bundle=$folder
	mkdir -p "$bundle" || die "cannot make the folder $folder"
	if [ -z "$force" ] && [ -n "$(ls -A "$bundle")" ]; then die "$folder is not empty; -f writes into it"; fi
	trap 'rm -f "$bundle/.err" "$bundle/.names" "$bundle/.part" "$bundle/.lacking"' 0
fi
trap 'exit 1' 1 2 15
manifest=$bundle/MANIFEST
calls=0
: >"$bundle/.lacking"

# lacking WHAT WHY: notes for the summary what the bundle lacks
lacking() { printf '  not captured: %s (%s)\n' "$1" "$2" >>"$bundle/.lacking"; }

# complaint: prints what the last command complained of, in one line
complaint() { tr '\n' ' ' <"$bundle/.err" | sed -e 's/ *$//' -e 's/\(.\{300\}\).*/\1.../'; }

# note FILE STATUS COMMAND...: writes the line of a command into MANIFEST
note() {
	line="command $1 rc=$2"
	shift 2
	printf '%s\n' "$line $*" | tr '\n' ' ' | sed 's/ *$//' >>"$manifest"
	echo >>"$manifest"
}

# keep FILE: removes what a command printed unless it ended well and printed something, and says whether it did
keep() {
	if [ "$status" -eq 0 ] && [ -s "$bundle/$1" ]; then return 0; fi
	rm -f "$bundle/$1"
	return 1
}

# try FILE COMMAND...: records what a command prints. A file of a command that fails, or prints nothing, is removed.
try() {
	file=$1
	shift
	"$@" >"$bundle/$file" 2>"$bundle/.err" </dev/null
	status=$?
	calls=$((calls + 1))
	note "$file" $status "$@"
	keep "$file"
}

# record FILE COMMAND...: tries, and says in the summary why that failed
record() { try "$@" || [ $status -eq 0 ] || lacking "$1" "$(complaint)"; }

# jobs FILE COMMAND...: records a listing of jobs, without their environment unless that is wanted
jobs() {
	[ -z "$environment" ] || { try "$@"; return; }
	file=$1
	shift
	# the exit status of qstat comes through descriptor 3, past awk
	status=$({ { "$@" 2>"$bundle/.err" </dev/null; echo $? >&3; } | strip >"$bundle/$file"; } 3>&1)
	calls=$((calls + 1))
	note "$file" "$status" "$@"
	keep "$file"
}

# strip: takes Variable_List out of a listing: in JSON an object, up to the brace below its name; in text a value, up to the next
# name; in XML an element of one line or more.
strip() {
	awk '
		brace != "" { if (index($0, brace) == 1) brace = ""; next }
		wrapped { if ($0 !~ /^    [A-Za-z_]/ && $0 !~ /^Job Id:/ && $0 != "") next; wrapped = 0 }
		/^[ \t]*"Variable_List":[ \t]*\{[ \t]*\},?$/ { next }
		/^[ \t]*"Variable_List":[ \t]*\{[ \t]*$/ { brace = $0; sub(/".*/, "}", brace); next }
		/^    Variable_List = / { wrapped = 1; next }
		{ gsub(/<Variable_List>[^<]*<\/Variable_List>/, ""); print }
	'
}

# copy FILE PATH: copies a file of the scheduler, even an empty one: that says something too
copy() {
	[ -e "$2" ] || return
	cat "$2" >"$bundle/$1" 2>"$bundle/.err"
	status=$?
	note "$1" $status cat "$2"
	[ $status -eq 0 ] || { rm -f "$bundle/$1"; lacking "$1" "$2: no permission"; }
}

# ending FILE FOLDER MEGABYTES: copies the end of the last two files of a folder that has one for each day. The first line of a part
# is half of one.
ending() {
	[ "$3" -gt 0 ] || return
	# shellcheck disable=SC2012 # names are days
	if ! ls "$2" >"$bundle/.names" 2>"$bundle/.err"; then
		lacking "$1" "$2: not on this host, or no permission"
		return
	fi
	bytes=$(($3 * 1000000))
	sed -n '/^[0-9]\{8\}$/p' "$bundle/.names" | tail -n 2 | while read -r day; do cat "$2/$day"; done >"$bundle/.part" 2>"$bundle/.err"
	if [ $(($(wc -c <"$bundle/.part"))) -gt $bytes ]; then
		tail -c $bytes "$bundle/.part" | sed 1d >"$bundle/$1"
	else
		mv "$bundle/.part" "$bundle/$1"
	fi
	rm -f "$bundle/.part"
	note "$1" 0 tail -c $bytes "$2"
}

# --- which cluster it is ---------------------------------------------------------------------------------------------

# fact KEY VALUE: notes what tells this cluster from others of its name
fact() { [ -z "$2" ] || printf 'identity %s %s\n' "$1" "$(printf '%s' "$2" | tr '\n' ' ')" >>"$manifest"; }

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

# identity: notes what the clients go by to find the server, and what the installation wrote
identity() {
	fact port "$(setting PBS_BATCH_SERVICE_PORT)"
	if machine "$server"; then
		fact host "$server"
		fact root "$home"
		installed "${PBS_CONF_FILE:-/etc/pbs.conf}"
		return
	fi
	# elsewhere that is the client's own: the server is asked
	host=$(qmgr -c "list server server_host" 2>/dev/null </dev/null | sed -n 's/^ *server_host = //p')
	fact host "${host:-$server}"
	fact root "$(qmgr -c "list sched default sched_priv" 2>/dev/null </dev/null | sed -n 's/^ *sched_priv = \(.*\)\/sched_priv$/\1/p')"
}

# --- what the cluster says -------------------------------------------------------------------------------------------

started=$(now)
{
	echo "taken_at $started"
	echo "utc_offset $(utc_offset)"
	echo "master $server"
	[ "$scheduler" = default ] || echo "scheduler $scheduler"
} >"$manifest"
identity

qstat --version >"$bundle/version.txt" 2>&1 </dev/null
note version.txt $? qstat --version
torque=''
grep -i '^version:' "$bundle/version.txt" >/dev/null 2>&1 && torque=yes

# JSON is exact, but releases before 14 have none; and Torque has XML, with an option that means finished jobs elsewhere.
if [ -n "$torque" ]; then
	jobs qstat_x.xml qstat -x || jobs qstat_f.txt qstat -f -t || die "qstat cannot reach the server: $(complaint)"
else
	jobs qstat_f.json qstat -f -t -F json || jobs qstat_f.txt qstat -f -t || [ "$status" -eq 0 ] ||
		die "qstat cannot reach the server: $(complaint)"
fi

# Orders must not be sent by a listing that is too old: its age counts from here.
echo "listed_at $(now)" >>"$manifest"

# The scheduler's files and its tree next: they belong to the same moment as the jobs.
qmgr -c "list sched $scheduler sched_priv" >"$bundle/.names" 2>/dev/null </dev/null
private=$(sed -n 's/^ *sched_priv = //p' "$bundle/.names")
logs=''
if [ -n "$private" ]; then
	qmgr -c "list sched $scheduler sched_log" >"$bundle/.names" 2>/dev/null </dev/null
	logs=$(sed -n 's/^ *sched_log = //p' "$bundle/.names")
fi
[ -n "$private" ] || private=$home/sched_priv
[ -n "$logs" ] || logs=$home/sched_logs
if [ -r "$private/sched_config" ]; then
	for file in sched_config sched_formula resource_group usage holidays dedicated_time; do copy $file "$private/$file"; done
else
	lacking "sched_config and the other files of the scheduler" "$private: not on this host, or no permission"
fi
if ! command -v pbsfs >/dev/null 2>&1; then
	[ -n "$torque" ] || lacking pbsfs "no pbsfs in $exec_dir/sbin"
else
	set -- pbsfs
	[ "$scheduler" = default ] || set -- pbsfs -I "$scheduler"
	record pbsfs_p.txt "$@" -p
	record pbsfs_t.txt "$@" -t
	entities=0
	sed -n 's/^ *\([A-Za-z0-9_.-]*\)([-0-9]*)$/\1/p' "$bundle/pbsfs_t.txt" 2>/dev/null >"$bundle/.names"
	while read -r entity && [ $entities -lt 100 ]; do
		entities=$((entities + 1))
		record "pbsfs_g_$entity.txt" "$@" -g "$entity"
	done <"$bundle/.names"
fi

# listing NAME COMMAND...: records a listing as JSON, or where the release has none as text
listing() {
	name=$1
	shift
	{ [ -z "$torque" ] && try "$name.json" "$@" -F json; } || record "$name.txt" "$@"
}
listing qstat_Qf qstat -Q -f
listing qstat_Bf qstat -B -f
if [ -n "$torque" ]; then record pbsnodes_a.txt pbsnodes -a; else listing pbsnodes_av pbsnodes -av; fi
record qmgr_print_server.txt qmgr -c "print server"
if [ -z "$torque" ]; then
	record qmgr_print_sched.txt qmgr -c "print sched"
	record qmgr_print_resource.txt qmgr -c "print resource"
	record qmgr_list_hook.txt qmgr -c "list hook"
	record pbs_rstat_F.txt pbs_rstat -F
fi

# --- what the daemons wrote ------------------------------------------------------------------------------------------

ending sched_log.txt "$logs" "$records"
ending accounting.txt "$home/server_priv/accounting" "$accounting"

# --- done ------------------------------------------------------------------------------------------------------------

finished=$(now)
release=$(sed -n 1p "$bundle/version.txt")
lacks=$(cat "$bundle/.lacking")
rm -f "$bundle/.err" "$bundle/.names" "$bundle/.part" "$bundle/.lacking"
output=$folder
if [ -n "$archive" ]; then
	output=$archive
	(cd "$bundle" && tar cf - -- *) | gzip -c >"$archive.part" || die "cannot write $archive"
	mv -f "$archive.part" "$archive" || die "cannot write $archive"
fi
say "$release, server $server: $calls calls in $((finished - started)) s, written to $output"
[ -z "$lacks" ] || printf '%s\n' "$lacks" >&2
exit 0
