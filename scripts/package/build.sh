#!/bin/sh
# build.sh [ARCH...]: makes dist/: a static program, .deb, .rpm and .tar.gz for each architecture, SHA256SUMS, and a list of components.
# Two builds of one commit are the same bytes. arm64 on amd64, and amd64 on arm64, need Debian's cross compiler.
set -eu
cd "$(dirname "$0")/../.."
dist=${DIST:-dist}
work=$dist/work
go=${GO:-go}
host=$($go env GOARCH)
unset GOFLAGS

# Bytes depend on the commit alone: one date, one locale, no groups or rights of who builds.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
VERSION=$(sed -n 's/^const Release = "\(.*\)"$/\1/p' cmd/qprism/cli/version.go)
export SOURCE_DATE_EPOCH VERSION LC_ALL=C TZ=UTC CGO_ENABLED=1
umask 022
date=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%d)

# compiler ARCH: the C compiler for an architecture; installed as root on Debian where it lacks
compiler() {
	[ "$1" != "$host" ] || { echo gcc; return; }
	case $1 in
	arm64) name=aarch64-linux-gnu ;;
	amd64) name=x86-64-linux-gnu ;;
	*) echo "build.sh: no architecture $1" >&2; return 1 ;;
	esac
	command=$(echo "$name" | sed 's/x86-64/x86_64/')-gcc
	if ! command -v "$command" >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		echo "installing gcc-$name" >&2
		{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
			"gcc-$name" "libc6-dev-$1-cross"; } >/dev/null
	fi
	command -v "$command" >/dev/null || { echo "build.sh: install gcc-$name and libc6-dev-$1-cross (Debian)" >&2; return 1; }
	echo "$command"
}

# tool NAME: a program of scripts/package/go.mod
tool() {
	$go tool -modfile=scripts/package/go.mod "$@"
}

# program ARCH: the static program
program() {
	cc=$(compiler "$1")
	GOARCH=$1 CC=$cc $go build -trimpath -buildvcs=true -tags netgo,osusergo,sqlite_omit_load_extension \
		-ldflags '-s -w -linkmode external -extldflags "-static -Wl,--build-id=none"' -o "$work/$1/qprism" ./cmd/qprism
}

# changes: the changelog of the packages, which names the release and where its changes are told
changes() {
	cat >"$work/changes.yaml" <<-END
		- semver: $VERSION-1
		  date: $(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
		  packager: The qprism authors <qprism@example.org>
		  deb: {urgency: medium, distributions: [stable]}
		  changes:
		    - note: Release $VERSION. /usr/share/doc/qprism/CHANGELOG.md tells what changed.
	END
}

# documents FOLDER: the README with the pages and pictures that it leads to
documents() {
	mkdir -p "$1/fixtures"
	cp -R README.md CHANGELOG.md ARCHITECTURE.md CONTRIBUTING.md NOTICE docs "$1/"
	cp -R fixtures/pictures "$1/fixtures/"
	find "$1" -type f -exec chmod 644 {} +
}

# same FOLDER: gives all files one time, and rights that do not depend on umask
same() {
	find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

# archive ARCH: the .tar.gz with install.sh
archive() {
	name=qprism-$VERSION-linux-$1
	tree=$work/$name
	mkdir -p "$tree/bin" "$tree/sbin" "$tree/doc" "$tree/state"
	cp "$work/$1/qprism" "$tree/bin/"
	cp scripts/qprism-gate "$tree/sbin/"
	cp -R "$work/man" "$work/completions" "$tree/"
	documents "$tree/doc"
	cp LICENSE scripts/qprism.yaml "$tree/doc/"
	cp scripts/qprism.service scripts/package/qprism.yaml scripts/package/Containerfile scripts/package/install.sh "$tree/"
	cp -R scripts/prometheus "$tree/"
	same "$tree"
	tar --sort=name --owner=0 --group=0 --numeric-owner --format=ustar -C "$work" -cf - "$name" | gzip -n9 >"$dist/$name.tar.gz"
}

# packages ARCH: the .deb and the .rpm. Only an .rpm marks files as documents. nfpm itself replaces variables in few of its fields.
packages() {
	for format in deb rpm; do
		document=file
		[ $format = deb ] || document=doc
		sed "s|\${WORK}|$work|g; s|\${ARCH}|$1|g; s|\${VERSION}|$VERSION|g; s|\${DOC}|$document|g" \
			scripts/package/nfpm.yaml >"$work/nfpm.yaml"
		for page in "$work"/man/*/*; do
			echo "  - {src: $page, dst: /usr/share/${page#"$work/"}, type: $document, file_info: {mode: 0644}}"
		done >>"$work/nfpm.yaml"
		(cd "$work/doc" && find . -type f | sed 's|^\./||' | sort) | while read -r page; do
			echo "  - {src: $work/doc/$page, dst: /usr/share/doc/qprism/$page, type: $document, file_info: {mode: 0644}}"
		done >>"$work/nfpm.yaml"
		same "$work"
		tool nfpm package --config "$work/nfpm.yaml" --packager $format --target "$dist/" >/dev/null
	done
}

rm -rf "$dist"
mkdir -p "$work"
$go run ./cmd/manual "$work" "$date"
changes
documents "$work/doc"
for page in "$work"/man/*/*; do gzip -n9 "$page"; done
for arch in ${*:-amd64 arm64}; do
	program "$arch"
	archive "$arch"
	packages "$arch"
	tool cyclonedx-gomod bin -json -noserial -notimestamp -std -version "$VERSION" \
		-output "$dist/qprism-$VERSION-linux-$arch.cdx.json" "$work/$arch/qprism" 2>/dev/null
done
rm -rf "$work"
(cd "$dist" && sha256sum -- * >SHA256SUMS)
ls -l "$dist"
