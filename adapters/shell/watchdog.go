package shell

// watchdog has the shell functions that restore the changes of a silent client. scripts/qprism-gate has the
// same functions. They use files beside the lock. NAME.owed has the commands as lines of the protocol.
// NAME.beat has the seconds of silence, and a number that differs each time. NAME.gave has the time at which
// everything was restored. The watchdog counts its own sleeps, so no clock matters. It ignores signals that end
// its session. A second watchdog stops at the lock of NAME.watch. The watchdog waits while the master does not
// answer. If the master stops answering in the middle, the watchdog repeats everything. (A redirection of beat
// itself would leave copies of the streams open in the watchdog.)
const watchdog = `w=; k=0; owe() { [ -n "$w" ] || { deny "no lock was taken"; return 1; }; ` +
	`if [ "$#" -eq 0 ]; then (umask 077; : >"$w.new"); return; fi; ` +
	`for x; do case $x in *"$nl"*) deny "a line break in what is owed"; return 1;; esac; done; ` +
	`{ printf "w%s\n" "$@" && echo .; } >>"$w.new"; }; ` +
	`beat() { [ -n "$w" ] || { deny "no lock was taken"; return 1; }; ` +
	`if [ -e "$w.new" ]; then mv "$w.new" "$w.owed" || return 1; fi; ` +
	`k=$((k+1)); (umask 077; echo "$1 $$ $k" >"$w.beat") || return 1; ` +
	`if [ -e "$w.gave" ]; then cat "$w.gave"; rm -f "$w.gave"; fi; ` +
	`if [ -s "$w.owed" ]; then (exec 9>&-; watch) </dev/null >/dev/null 2>&1 & fi; }; ` +
	`reached() { qstat >/dev/null 2>&1; }; ` +
	`pay() { p=$1; set --; while IFS= read -r line; do case $line in ` +
	`w*) set -- "$@" "${line#w}";; .) "$@" </dev/null; set --;; esac; done <"$p"; }; ` +
	`watch() { trap "" HUP INT TERM PIPE; umask 077; exec 8>>"$w.watch"; flock -n 8 || exit 0; n=0; last=; most=30; ` +
	`while [ -s "$w.owed" ]; do b=$(cat "$w.beat"); [ "$b" = "$last" ] || { last=$b; n=0; }; ` +
	`case $b in "") ;; *) most=${b%% *};; esac; ` +
	`if [ "$n" -ge "$most" ] && reached; then mv "$w.owed" "$w.paid"; pay "$w.paid"; ` +
	`if reached; then date -u +%Y-%m-%dT%H:%M:%SZ >"$w.gave"; elif [ -s "$w.owed" ]; then :; else mv "$w.paid" "$w.owed"; fi; fi; ` +
	`sleep 1; n=$((n+1)); done; exit 0; }; `
