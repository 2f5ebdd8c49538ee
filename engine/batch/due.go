package batch

// A Party is who uses a cluster: somebody, for a project, of a department.
type Party struct{ User, Project, Department string }

// What parties are told apart by.
const (
	ByUser       = "user"
	ByProject    = "project"
	ByDepartment = "department"
)

// Name is what a party is called where it is told apart by one of these.
func (p Party) Name(by string) string {
	switch by {
	case ByProject:
		return p.Project
	case ByDepartment:
		return p.Department
	}
	return p.User
}

// Due is what part of a cluster users, projects or departments are due among those that use it.
type Due struct {
	Policy string             // whose shares these are, in words; empty where no policy in force has any for them
	Parts  map[string]float64 // of one, by name
}

// Normalized makes one of the sum of all parts.
func (d Due) Normalized() Due {
	sum := 0.0
	for _, part := range d.Parts {
		sum += part
	}
	if sum <= 0 {
		return Due{}
	}
	for name := range d.Parts {
		d.Parts[name] /= sum
	}
	return d
}
