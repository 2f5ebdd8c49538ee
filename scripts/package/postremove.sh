#!/bin/sh
# Says where the data is. Nothing deletes it: it is the site's history.
set -e

case "$1" in
remove | purge | 0)
	if [ -d /run/systemd/system ]; then
		systemctl daemon-reload || true
	fi
	if [ -d /var/lib/qprism ]; then
		echo 'qprism: snapshots and keys stay in /var/lib/qprism; delete the folder and the user qprism if you do not need them'
	fi
	;;
esac
