package batch

// A Class says why a recomputed number differs from the printed one.
type Class string

// The classes of disagreements.
const (
	Stale       Class = "stale"         // the master shows a number of another run
	Missing     Class = "input missing" // the bundle lacks an input of the number
	Unexplained Class = "unexplained"
)

// A Count says how many numbers of a field agree.
type Count struct {
	Reported    int `json:"reported"` // numbers that the master printed
	Compared    int `json:"compared"` // of these, numbers that could be recomputed
	Agree       int `json:"agree"`
	Stale       int `json:"stale"`
	Missing     int `json:"input_missing"`
	Unexplained int `json:"unexplained"` // all others
}

// Plus adds two counts.
func (c Count) Plus(d Count) Count {
	return Count{Reported: c.Reported + d.Reported, Compared: c.Compared + d.Compared, Agree: c.Agree + d.Agree,
		Stale:   c.Stale + d.Stale,
		Missing: c.Missing + d.Missing, Unexplained: c.Unexplained + d.Unexplained}
}
