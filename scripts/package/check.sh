#!/bin/bash
# check.sh [STEP...]: builds the packages twice, compares them, and tries them where sites are. As root on Debian; it installs what it needs.
# Each step prints one line, "ok" or "FAILED"; a step that cannot run here says why, and fails with CI=true.
set -u
cd "$(dirname "$0")/../.."
go=${GO:-go}
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
failed=0
EXAMPLE=example:departments

# say STATE STEP [WHY]
say() {
	printf '%-8s %s%s\n' "$1" "$2" "${3:+: $3}"
	[ "$1" = ok ] || { [ "$1" = skipped ] && [ "${CI:-}" != true ]; } || failed=1
}

# try NAME COMMAND...: one step
try() {
	local name=$1
	shift
	if "$@" >"$room/log" 2>&1; then say ok "$name"; else say FAILED "$name" "$(tail -n 3 "$room/log" | tr '\n' ' ')"; fi
}

# need PROGRAM PACKAGE...: installs what a step needs
need() {
	command -v "$1" >/dev/null && return
	[ "$(id -u)" = 0 ] || return
	apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${@:2}" >/dev/null
}

version() { sed -n 's/^const Release = "\(.*\)"$/\1/p' cmd/qprism/cli/version.go; }
deb() { echo "$PWD/dist/qprism_$(version)-1_$1.deb"; }
rpm_of() { echo "$PWD/dist/qprism-$(version)-1.$1.rpm"; }

# --- the files -------------------------------------------------------------------------------------------------------

# same_bytes: a second build, in another clone and without what the first one compiled. The Go command reads the
# commit from a clone, and not from a second work tree.
same_bytes() {
	git clone -q "$PWD" "$room/again" && git -C "$room/again" checkout -q "$(git rev-parse HEAD)" &&
		(cd "$room/again" && GOCACHE=$room/cache DIST=$room/dist scripts/package/build.sh) &&
		diff "$room/dist/SHA256SUMS" dist/SHA256SUMS
}

sums() { (cd dist && sha256sum --quiet -c SHA256SUMS); }

static() { file "$room/deb/usr/bin/qprism" | grep 'statically linked' | grep -q ', stripped'; }

# told: the program names the release and the commit
told() { "$room/deb/usr/bin/qprism" version | grep -q "^qprism $(version), commit $(git rev-parse --short=12 HEAD) of "; }

lists() {
	dpkg -c "$(deb amd64)" | awk '{print $6}' >"$room/deb.list"
	rpm -qpl "$(rpm_of x86_64)" >"$room/rpm.list" 2>/dev/null
	local name
	for name in /usr/bin/qprism /usr/sbin/qprism-gate /usr/share/man/man1/qprism-why.1.gz /usr/share/man/man5/qprism.yaml.5.gz \
		/usr/share/man/man8/qprism-gate.8.gz /usr/share/bash-completion/completions/qprism /usr/share/fish/vendor_completions.d/qprism.fish \
		/usr/lib/systemd/system/qprism.service /etc/qprism/qprism.yaml /usr/share/qprism/prometheus/qprism.rules.yaml \
		/usr/share/qprism/grafana/qprism.json; do
		grep -qx ".$name" "$room/deb.list" || { echo "the .deb lacks $name"; return 1; }
		grep -qx "$name" "$room/rpm.list" || { echo "the .rpm lacks $name"; return 1; }
	done
	grep -qx ./usr/share/zsh/vendor-completions/_qprism "$room/deb.list" && grep -qx /usr/share/zsh/site-functions/_qprism "$room/rpm.list"
}

lintian_says() { ! lintian --allow-root --fail-on error "$(deb amd64)" | grep '^E:'; }
rpmlint_says() { rpmlint -c scripts/package/rpmlint.toml "$(rpm_of x86_64)" | grep -q ' 0 errors'; }

exposure() {
	local level
	level=$(systemd-analyze security --offline=true scripts/qprism.service 2>/dev/null | sed -n 's/.*exposure level for .*: \([0-9.]*\) .*/\1/p')
	echo "exposure $level"
	awk -v level="$level" 'BEGIN { exit !(level != "" && level <= 2.0) }'
}

# --- where sites are -------------------------------------------------------------------------------------------------

# debian SUITE: the program and the package in a minimal Debian
debian() {
	local root=$room/$1
	mmdebstrap --quiet --variant=minbase "$1" "$root" || return
	cp "$(deb amd64)" "$root/qprism.deb" || return
	chroot "$root" dpkg -i /qprism.deb && chroot "$root" su -s /bin/sh nobody -c "qprism priorities $EXAMPLE" | grep -q . &&
		chroot "$root" qprism serve --config /etc/qprism/qprism.yaml --check && chroot "$root" id qprism && page "$root" &&
		echo '# mine' >>"$root/etc/qprism/qprism.yaml" && chroot "$root" dpkg -i --force-confold /qprism.deb &&
		tail -n 1 "$root/etc/qprism/qprism.yaml" | grep -qx '# mine' && chroot "$root" dpkg -r qprism >"$room/removed" &&
		grep -q 'stay in /var/lib/qprism' "$room/removed" && [ -d "$root/var/lib/qprism" ] && [ ! -e "$root/usr/bin/qprism" ]
}

# page ROOT: the page of an example answers, below chroot
page() {
	chroot "$1" qprism view $EXAMPLE --listen 127.0.0.1:18765 --no-browser >"$room/view.log" 2>&1 &
	answers 18765 /
	local status=$?
	kill $! 2>/dev/null
	wait $! 2>/dev/null
	return $status
}

# answers PORT PATH: whether a server says 200 within ten seconds
answers() {
	local i
	for i in $(seq 50); do
		curl -fs -o /dev/null "http://127.0.0.1:$1$2" && return
		sleep 0.2
	done
	return 1
}

# no_libc: the .rpm in an empty root, where there is neither libc nor shell
no_libc() {
	local root=$room/empty
	mkdir -p "$root"
	rpm --root "$root" --initdb && rpm --root "$root" --nodeps --noscripts -i "$(rpm_of x86_64)" &&
		chroot "$root" /usr/bin/qprism priorities $EXAMPLE | grep -q . && [ ! -e "$root/bin/sh" ]
}

arm64() {
	dpkg-deb -x "$(deb arm64)" "$room/arm64" && qemu-aarch64-static "$room/arm64/usr/bin/qprism" priorities $EXAMPLE >"$room/arm64.out" &&
		"$room/deb/usr/bin/qprism" priorities $EXAMPLE | diff - "$room/arm64.out"
}

archive() {
	tar -xzf "dist/qprism-$(version)-linux-amd64.tar.gz" -C "$room" && "$room/qprism-$(version)-linux-amd64/install.sh" "$room/prefix" &&
		"$room/prefix/bin/qprism" version && "$room/qprism-$(version)-linux-amd64/install.sh" --uninstall "$room/prefix" &&
		[ -z "$(find "$room/prefix" -type f)" ]
}

# images WORD...: buildah with images in a folder of this run
images() { buildah --storage-driver vfs --root "$room/images" --runroot "$room/run" "$@"; }

# container: the image, built and run with its own root
container() {
	local image root
	images build --isolation chroot -t qprism "$room/qprism-$(version)-linux-amd64" || return
	image=$(images from qprism) && root=$(images mount "$image") || return
	[ "$(stat -c %u "$root/var/lib/qprism")" = 65532 ] && HOME=/var/lib/qprism USER=qprism chroot --userspec 65532:65532 "$root" \
		/usr/bin/qprism serve --config /etc/qprism/qprism.yaml --check && page "$root"
	local status=$?
	images umount "$image" >/dev/null
	return $status
}

# --- how it is used --------------------------------------------------------------------------------------------------

manual() { MANPATH=$room/deb/usr/share/man man qprism-why | grep -q 'qprism why JOB' && MANPATH=$room/deb/usr/share/man man 5 qprism.yaml | grep -q config_age; }

# tab: what bash completes for a job, with the completion of the package
tab() {
	local bundle=fixtures/gridengine/8.1.9-essc-departments.tar.gz/run2/after
	PATH=$room/deb/usr/bin:$PATH bash -c '
		. /usr/share/bash-completion/bash_completion
		. "$1/usr/share/bash-completion/completions/qprism"
		export QPRISM_STORE=$2/tab.db
		qprism import "$3" >/dev/null || exit
		COMP_WORDS=(qprism why "") COMP_CWORD=2 COMP_LINE="qprism why " COMP_POINT=11 COMP_TYPE=9 COMP_KEY=9
		__start_qprism
		printf "%s\n" "${COMPREPLY[@]}" | grep -q "^7"' tab "$room/deb" "$room" "$bundle"
}

# unit: ExecStart of the unit with the packaged configuration, as its user would run it, below a folder in place of /
unit() {
	local root=$room/unit command
	dpkg-deb -x "$(deb amd64)" "$root" && mkdir -p "$root/var/lib/qprism" "$root/dev" "$root/proc" "$root/tmp"
	command=$(sed -n 's/^ExecStart=//p' "$root/usr/lib/systemd/system/qprism.service")
	chown 65532 "$root/var/lib/qprism"
	# shellcheck disable=SC2086 # the words of the unit
	HOME=/var/lib/qprism USER=qprism chroot --userspec 65532:65532 "$root" $command >"$room/serve.log" 2>&1 &
	local status
	answers 8765 / && answers 8765 /metrics
	status=$?
	kill $! && wait $! 2>/dev/null
	[ $status = 0 ] || cat "$room/serve.log"
	return $status
}

# --- steps -----------------------------------------------------------------------------------------------------------

[ "$(id -u)" = 0 ] || { echo 'check.sh: run it as root on Debian' >&2; exit 1; }
need mmdebstrap mmdebstrap
need rpm rpm
need lintian lintian
need rpmlint rpmlint
need file file
need man man-db
need curl curl
need qemu-aarch64-static qemu-user-static
need buildah buildah
need systemd-analyze systemd
[ -e /usr/share/bash-completion/bash_completion ] || need bash-completion bash-completion

# suite NAME: a Debian that the mirror still has; 10 is in the archive only
suite() {
	if ! apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | sort -u | head -n 1 | grep -q .; then
		say skipped "Debian $1" 'no mirror is known'
	elif ! mirror_has "$1"; then
		say skipped "Debian $1" 'the mirror of this machine does not have it'
	else
		try "Debian $1" debian "$1"
	fi
}

# mirror_has SUITE
mirror_has() {
	local mirror
	mirror=$(apt-get indextargets --format '$(REPO_URI)' | sort -u | grep '/debian/*$' | head -n 1)
	curl -fsL -o /dev/null "${mirror%/}/dists/$1/Release"
}

steps=${*:-build static lists same lintian rpmlint exposure manual tab unit arm64 rpm archive container bookworm trixie bullseye buster}
for step in $steps; do
	[ -e "$room/deb" ] || [ "$step" = build ] || dpkg-deb -x "$(deb amd64)" "$room/deb"
	case $step in
	build) start=$SECONDS && try 'make package' scripts/package/build.sh && echo "         $((SECONDS - start)) s" ;;
	static) try 'checksums' sums && try 'the program is static' static && try 'its version' told ;;
	lists) try 'both packages have every file' lists ;;
	same) try 'a second build has the same bytes' same_bytes ;;
	lintian) try lintian lintian_says ;;
	rpmlint) try rpmlint rpmlint_says ;;
	exposure) try 'exposure of the unit is at most 2.0' exposure ;;
	manual) try 'man pages' manual ;;
	tab) try 'bash completes job numbers' tab ;;
	unit) try 'ExecStart serves the page with the packaged configuration' unit ;;
	arm64) try 'arm64 under qemu prints what amd64 does' arm64 ;;
	rpm) try 'the .rpm in an empty root' no_libc ;;
	archive) try 'install.sh, and back' archive ;;
	container) try 'the container' container ;;
	buster | bullseye | bookworm | trixie) suite "$step" ;;
	*) say FAILED "$step" 'no such step' ;;
	esac
done
exit $failed
