package qconf

import "strings"

// readLists reads the files that hold one name a line: what qconf -sm, -so, -sh and -ss printed, and -secl.
func readLists(c *configReader) error {
	for _, l := range []struct {
		file string
		into *[]string
	}{
		{"managers.txt", &c.Snap.Managers},
		{"operators.txt", &c.Snap.Operators},
		{"admin_hosts.txt", &c.Snap.AdminHosts},
		{"submit_hosts.txt", &c.Snap.SubmitHosts},
	} {
		if err := c.names(l.file, l.into); err != nil {
			return err
		}
	}
	return c.eventClients()
}

// names reads a list. Where there is nothing to list qconf fails, and its output is a message.
func (c *configReader) names(file string, into *[]string) error {
	lines, err := c.lines(file)
	if err != nil || c.failed[file] {
		return err
	}
	for _, l := range lines {
		if strings.ContainsAny(l.text, blanks) {
			c.LeaveOut(file, l.number, l.text, errNoBlanks)
			continue
		}
		*into = append(*into, l.text)
	}
	return nil
}

// eventClients keeps the rows of the table, id, name and host, without its heading.
func (c *configReader) eventClients() error {
	const file = "event_clients.txt"
	lines, err := c.lines(file)
	if err != nil || c.failed[file] {
		return err
	}
	for _, l := range lines {
		if key, _ := l.pair(); key != "ID" && strings.Trim(key, "-") != "" {
			c.Snap.EventClients = append(c.Snap.EventClients, l.text)
		}
	}
	return nil
}
