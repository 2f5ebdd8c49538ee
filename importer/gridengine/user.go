package gridengine

import "qprism/engine/model"

// readUsers reads users/ or users.txt, what qconf -suser printed: user(5).
func readUsers(c *configReader) (err error) {
	c.Snap.Users, err = readObjects(c, "users", "name", func(o object, u *model.User) error {
		u.Name = o.name
		return c.fill(o, fields{
			"oticket":         count(&u.OverrideTickets),
			"fshare":          count(&u.FunctionalShares),
			"delete_time":     moment(&u.DeleteTime),
			"default_project": optional(&u.DefaultProject),
		}, "oticket", "fshare")
	})
	return err
}

// readProjects reads projects/ or projects.txt, what qconf -sprj printed: project(5).
func readProjects(c *configReader) (err error) {
	c.Snap.Projects, err = readObjects(c, "projects", "name", func(o object, p *model.Project) error {
		p.Name = o.name
		return c.fill(o, fields{
			"oticket": count(&p.OverrideTickets),
			"fshare":  count(&p.FunctionalShares),
			"acl":     list(&p.ACL),
			"xacl":    list(&p.XACL),
		}, "oticket", "fshare")
	})
	return err
}
