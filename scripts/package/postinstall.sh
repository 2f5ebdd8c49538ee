#!/bin/sh
# Makes the user of qprism.service and its folder. The service is not started: it does nothing useful before it is configured.
set -e

case "$1" in
abort-*) exit 0 ;;
esac
if ! getent passwd qprism >/dev/null; then
	useradd --system --user-group --home-dir /var/lib/qprism --shell /usr/sbin/nologin --comment 'qprism serve' qprism
fi
if [ ! -d /var/lib/qprism ]; then
	mkdir -m 0750 /var/lib/qprism
	chown qprism:qprism /var/lib/qprism
fi
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
	systemctl try-restart qprism.service || true
fi
