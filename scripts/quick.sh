#!/bin/sh
# quick.sh - checks what differs from the last commit, in less than a minute: for every save (make quick). make test checks all.
#
# The program is built; what was changed is formatted, vetted and tested. Of packages whose tests take long only those tests run that
# stand in changed files. The tests of the tree itself (import arrows, rules, notices) always run.
set -eu
cd "$(dirname "$0")/.."
GO=${GO:-go}

# packages whose tests take more than ten seconds, or start servers
slow='cmd/.*|adapters/(ssh|sqlite)|engine/(explain|formula|formula/python|gridengine/match|lint|steer|migrate/synthesis)|fixtures/(master|sshd)'

changed=$( (git diff --name-only HEAD -- && git ls-files --others --exclude-standard) | sort -u)
sources=$(printf '%s\n' "$changed" | grep '\.go$' | while read -r f; do [ ! -f "$f" ] || echo "$f"; done || true)

if [ -n "$sources" ]; then
	# shellcheck disable=SC2086 # names of Go files hold no blanks
	unformatted=$(gofmt -l $sources)
	[ -z "$unformatted" ] || { echo "gofmt would change:"; echo "$unformatted"; exit 1; }
fi
$GO build ./...

fast='./engine ./compat'
for folder in $(printf '%s\n' "$sources" | sed -n 's|/[^/]*\.go$||p' | sort -u); do
	$GO vet "./$folder"
	if ! echo "$folder" | grep -Eqx "$slow"; then
		fast="$fast ./$folder"
		continue
	fi
	tests=$(printf '%s\n' "$sources" | grep "^$folder/[^/]*_test\.go$" | xargs -r sed -n 's/^func \(Test[A-Za-z0-9_]*\)(t .*/\1/p' | paste -sd'|')
	if [ -n "$tests" ]; then
		$GO test "./$folder" -run "^($tests)\$"
	else
		echo "--  $folder: built and vetted; its tests take long: go test ./$folder -run NAME"
	fi
done
# shellcheck disable=SC2086 # a list of packages
$GO test $(printf '%s\n' $fast | sort -u)
