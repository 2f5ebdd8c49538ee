package model

import "slices"

// SharesOf is a pointer to the functional shares of a "user", "project" or "department" (user(5), project(5),
// access_list(5)); nil if the snapshot does not have the object.
func (s *Snapshot) SharesOf(kind, name string) *uint32 {
	switch kind {
	case "user":
		if i := slices.IndexFunc(s.Users, func(u User) bool { return u.Name == name }); i >= 0 {
			return &s.Users[i].FunctionalShares
		}
	case "project":
		if i := slices.IndexFunc(s.Projects, func(p Project) bool { return p.Name == name }); i >= 0 {
			return &s.Projects[i].FunctionalShares
		}
	case "department":
		if i := slices.IndexFunc(s.Usersets, func(u Userset) bool { return u.Name == name }); i >= 0 {
			return &s.Usersets[i].FunctionalShares
		}
	}
	return nil
}

// GiveShares sets functional shares of an object in the snapshot. Other copies of the snapshot do not change.
func (s *Snapshot) GiveShares(kind, name string, shares uint32) {
	s.Users, s.Projects, s.Usersets = slices.Clone(s.Users), slices.Clone(s.Projects), slices.Clone(s.Usersets)
	if of := s.SharesOf(kind, name); of != nil {
		*of = shares
	}
}

// GiveNodeShares sets the shares of a node in the fairshare tree of PBS. Other copies of the snapshot do not
// change.
func (s *Snapshot) GiveNodeShares(name string, shares int32) (known bool) {
	p := *s.PBS
	p.Fairshare.Groups = slices.Clone(p.Fairshare.Groups)
	for i := range p.Fairshare.Groups {
		if g := &p.Fairshare.Groups[i]; g.Name == name {
			g.Shares, known = shares, true
		}
	}
	s.PBS = &p
	return known
}
