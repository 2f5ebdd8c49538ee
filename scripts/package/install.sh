#!/bin/sh
# install.sh [PREFIX]: installs qprism below PREFIX, /usr/local by default. No root is needed for a PREFIX of your own.
# install.sh --uninstall [PREFIX]: removes these files; configuration and snapshots stay.
set -eu
cd "$(dirname "$0")"

remove=''
case ${1-} in
--uninstall) remove=yes; shift ;;
-*) echo 'usage: install.sh [--uninstall] [PREFIX]' >&2; exit 64 ;;
esac
prefix=${1:-/usr/local}

# put MODE FROM TO: installs a file, or removes it
put() {
	if [ -n "$remove" ]; then
		rm -f "$prefix/$3"
		return
	fi
	mkdir -p "$(dirname "$prefix/$3")"
	rm -f "$prefix/$3" # a program that runs cannot be written over
	cp "$2" "$prefix/$3"
	chmod "$1" "$prefix/$3"
}

put 755 bin/qprism bin/qprism
put 755 sbin/qprism-gate sbin/qprism-gate
for page in man/*/*; do put 644 "$page" "share/$page"; done
put 644 completions/qprism share/bash-completion/completions/qprism
put 644 completions/_qprism share/zsh/site-functions/_qprism
put 644 completions/qprism.fish share/fish/vendor_completions.d/qprism.fish
for file in $(find doc -type f); do put 644 "$file" "share/doc/qprism/${file#doc/}"; done
for file in prometheus/*; do put 644 "$file" "share/doc/qprism/$file"; done

sed "s|/usr/bin/|$prefix/bin/|" qprism.service >"${TMPDIR:-/tmp}/qprism.service.$$"
put 644 "${TMPDIR:-/tmp}/qprism.service.$$" share/doc/qprism/qprism.service
rm -f "${TMPDIR:-/tmp}/qprism.service.$$"
put 644 qprism.yaml share/doc/qprism/default.yaml

if [ -n "$remove" ]; then
	find "$prefix/share/doc/qprism" -depth -type d -exec rmdir {} \; 2>/dev/null || true
	echo "qprism: removed from $prefix; snapshots stay in ~/.local/share/qprism or /var/lib/qprism"
	exit 0
fi
echo "qprism: $("$prefix/bin/qprism" version | sed 's/^qprism //'), in $prefix/bin"
case :$PATH: in
*":$prefix/bin:"*) ;;
*) echo "qprism: add it to your path: PATH=$prefix/bin:\$PATH" ;;
esac
first=$(command -v qprism || true)
[ -z "$first" ] || [ "$first" = "$prefix/bin/qprism" ] || echo "qprism: another one comes first in your path: $first"
