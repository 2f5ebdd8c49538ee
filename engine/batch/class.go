package batch

// A Class says why a recomputed number is not what the master printed.
type Class string

// The classes of disagreements.
const (
	Stale       Class = "stale"         // the master shows what another run than this one computed
	Missing     Class = "input missing" // the bundle lacks what the number is made of
	Unexplained Class = "unexplained"
)

// A Count says how many numbers of a field agree.
type Count struct {
	Reported    int `json:"reported"` // the master printed a number
	Compared    int `json:"compared"` // of these, the number could be recomputed
	Agree       int `json:"agree"`
	Stale       int `json:"stale"`
	Missing     int `json:"input_missing"`
	Unexplained int `json:"unexplained"` // what is left
}

// Plus adds two counts.
func (c Count) Plus(d Count) Count {
	return Count{Reported: c.Reported + d.Reported, Compared: c.Compared + d.Compared, Agree: c.Agree + d.Agree, Stale: c.Stale + d.Stale,
		Missing: c.Missing + d.Missing, Unexplained: c.Unexplained + d.Unexplained}
}
