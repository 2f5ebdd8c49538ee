#!/bin/sh
# install-test-tools.sh: installs what the tests need (as root on Debian: a real Grid Engine, a real Slurm, a real ssh server, Python,
# Chromium with axe-core), and says which
# tests will not run where it cannot. With CI=true that is a failure. The ssh server is not started: tests start their own.
set -u

gridengine() {
	[ -x /usr/lib/gridengine/sge_qmaster ] && [ -x /usr/lib/gridengine/sge_execd ] && command -v qconf >/dev/null 2>&1 &&
		command -v setpriv >/dev/null 2>&1
}

slurm() {
	for program in slurmctld slurmd slurmdbd sprio munged mariadbd; do
		[ -x /usr/sbin/$program ] || command -v $program >/dev/null 2>&1 || return 1
	done
	ls /usr/lib/*/faketime/libfaketimeMT.so.1 >/dev/null 2>&1
}

sshd() {
	[ -x /usr/sbin/sshd ] && command -v ssh-keygen >/dev/null 2>&1
}

python() {
	command -v python3 >/dev/null 2>&1
}

browser() {
	command -v chromium >/dev/null 2>&1
}

page=$(cd "$(dirname "$0")/.." && pwd)/cmd/qprism/view

axe() {
	[ -f "$page/node_modules/axe-core/axe.min.js" ]
}

# install PACKAGE...: installs packages, without asking and without starting what they bring
install() {
	echo "installing $* for the live tests"
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

if { ! gridengine || ! slurm || ! sshd || ! python || ! browser || ! axe; } && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
	policy=/usr/sbin/policy-rc.d # asked by packages whether they may start what they bring; where there is one already, it stays
	if [ ! -e $policy ]; then
		trap 'rm -f $policy' 0
		printf '#!/bin/sh\nexit 101\n' >$policy && chmod 755 $policy
	fi
	apt-get update -qq
	if ! gridengine; then
		for package in gridengine-common gridengine-master gridengine-client; do
			echo "$package shared/gridengineconfig boolean false"
		done | debconf-set-selections
		install gridengine-master gridengine-client gridengine-exec
	fi
	slurm || install slurmctld slurmd slurmdbd slurm-client munge mariadb-server faketime
	sshd || install openssh-server openssh-client
	python || install python3
	browser || install chromium fonts-dejavu-core
	axe || command -v npm >/dev/null 2>&1 || install npm
fi
axe || { command -v npm >/dev/null 2>&1 && npm ci --prefix "$page" --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null; }

lacking=''
gridengine || {
	lacking=yes
	echo "no real Grid Engine here (Debian: gridengine-master, -client, -exec; as root): tests named TestReal… of a master will not run"
}
slurm || {
	lacking=yes
	echo "no real Slurm here (Debian: slurmctld, slurmd, slurmdbd, slurm-client, munge, mariadb-server, faketime; as root): tests named TestRealSlurm… will not run"
}
sshd || {
	lacking=yes
	echo "no ssh server here (Debian: openssh-server): tests named TestReal… over SSH will not run"
}
python || {
	lacking=yes
	echo "no python3 here: formulas are not held against Python's"
}
browser || {
	lacking=yes
	echo "no Chromium here (Debian: chromium): nothing looks at the page of qprism view"
}
axe || {
	lacking=yes
	echo "no axe-core here (npm ci --prefix cmd/qprism/view): nothing looks at how accessible the page is"
}
if [ -n "$lacking" ] && [ "${CI:-}" = true ]; then exit 1; fi
exit 0
