// Package names looks up users, groups and hosts (names.go). Go's own lookup in a static program reads
// /etc/passwd, /etc/group, /etc/hosts and DNS. Go's lookup does not use nsswitch.conf(5), so it finds no
// names of NIS or LDAP. If Go's lookup does not find a name, this package asks getent(1).
package names

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"slices"
	"strconv"
	"strings"
	"time"
)

// patience is how long getent may take: a directory that does not answer must not stop a command.
const patience = 10 * time.Second

func User() (name, home string, err error) {
	me, err := user.Current()
	if err == nil && me.Username != "" && me.HomeDir != "" {
		return me.Username, me.HomeDir, nil
	}
	fields, other := getent(context.Background(), "passwd", strconv.Itoa(os.Getuid()))
	if other != nil || len(fields[0]) < 6 {
		return "", "", fmt.Errorf("user %d: %w", os.Getuid(), errors.Join(err, other))
	}
	return fields[0][0], fields[0][5], nil
}

// Group returns the id of a group.
func Group(name string) (int, error) {
	g, err := user.LookupGroup(name)
	if err == nil {
		return strconv.Atoi(g.Gid)
	}
	fields, other := getent(context.Background(), "group", name)
	if other != nil || len(fields[0]) < 3 {
		return 0, err
	}
	return strconv.Atoi(fields[0][2])
}

// Host returns the addresses of a host.
func Host(ctx context.Context, name string) ([]string, error) {
	found, err := net.DefaultResolver.LookupHost(ctx, name)
	if err == nil {
		return found, nil
	}
	lines, other := getent(ctx, "ahosts", name)
	if other != nil {
		return nil, err
	}
	for _, line := range lines {
		if address := strings.Fields(line[0]); len(address) > 0 && !slices.Contains(found, address[0]) {
			found = append(found, address[0])
		}
	}
	return found, nil
}

// getent asks a database for a key, and returns the fields of each line: those between colons, or of ahosts
// the line whole.
func getent(ctx context.Context, database, key string) (lines [][]string, err error) {
	if key == "" || strings.HasPrefix(key, "-") {
		return nil, fmt.Errorf("%q is no name", key)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	out, err := exec.CommandContext(ctx, "getent", database, key).Output()
	if err != nil {
		return nil, fmt.Errorf("getent %s %s: %w", database, key, err)
	}
	for line := range bytes.Lines(out) {
		text := strings.TrimSpace(string(line))
		if database == "ahosts" { // addresses have colons
			lines = append(lines, []string{text})
			continue
		}
		lines = append(lines, strings.Split(text, ":"))
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("getent %s %s: no answer", database, key)
	}
	return lines, nil
}
