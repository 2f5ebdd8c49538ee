package qconf

import "strings"

// names reads a list. If there is nothing to list, qconf fails and prints a message.
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

// eventClients keeps the rows of the table (id, name, host) without the heading.
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
