package batch

// A Party is a user of the cluster, with project and department.
type Party struct{ User, Project, Department string }

// How parties are grouped.
const (
	ByUser       = "user"
	ByProject    = "project"
	ByDepartment = "department"
)

// Name is the party's name in a grouping.
func (p Party) Name(by string) string {
	switch by {
	case ByProject:
		return p.Project
	case ByDepartment:
		return p.Department
	}
	return p.User
}

// Due is the share of each user, project or department, among those that are active.
type Due struct {
	Policy string             // the policy of the shares, in words; empty if no active policy has any
	Parts  map[string]float64 // fractions by name
}

// Normalized divides the parts by their sum.
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
