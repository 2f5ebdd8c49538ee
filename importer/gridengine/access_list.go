package gridengine

import (
	"fmt"
	"strings"

	"qprism/engine/model"
)

// readUsersets reads usersets/ or usersets.txt, what qconf -su printed: access_list(5).
func readUsersets(c *configReader) (err error) {
	c.Snap.Usersets, err = readObjects(c, "usersets", "name", func(o object, u *model.Userset) error {
		u.Name = o.name
		return c.fill(o, fields{
			"type":    usersetType(u),
			"fshare":  count(&u.FunctionalShares),
			"oticket": count(&u.OverrideTickets),
			"entries": list(&u.Entries),
		}, "type", "fshare", "oticket", "entries")
	})
	return err
}

// usersetType reads ACL, DEPT or both.
func usersetType(u *model.Userset) func(string) error {
	return func(value string) error {
		for _, word := range words(value) {
			switch strings.ToUpper(word) {
			case "ACL":
				u.ACL = true
			case "DEPT":
				u.Department = true
			default:
				return fmt.Errorf("%q: neither ACL nor DEPT", word)
			}
		}
		return nil
	}
}
