package batch

import (
	"encoding/json"

	"qprism/engine/model"
)

// An Audit holds the last scheduler run against what the master tells of it.
type Audit struct {
	Cluster string `json:"cluster"`
	Release string `json:"release"`
	Rules   string `json:"quirks"` // name of the release that was followed
	Moment
	From        string          `json:"recomputed_from,omitempty"` // in words; empty for the bundle as it is
	Agrees      bool            `json:"agrees"`                    // everything that the master tells was recomputed as it tells it
	Fields      Fields          `json:"fields"`
	Gaps        []Gap           `json:"missing"`
	Differences []Difference    `json:"disagreements"`
	LeftOut     []model.LeftOut `json:"left_out,omitempty"`
	Repairs     []model.Repair  `json:"repaired,omitempty"` // what commands printed wrong, and how it was read
}

// A Field is something that the master prints of jobs, or of the share tree, and how much of it agrees.
type Field struct {
	Name string // the system's own
	Text bool   // its values are texts, such as the vnodes of a job
	Count
}

// Fields are those of an audit, in the order in which people read them.
type Fields []Field

// MarshalJSON makes an object of the fields, by name.
func (f Fields) MarshalJSON() ([]byte, error) {
	counts := map[string]Count{}
	for _, field := range f {
		counts[field.Name] = field.Count
	}
	return json.Marshal(counts)
}

// Sum adds up all fields.
func (f Fields) Sum() (sum Count) {
	for _, field := range f {
		sum = sum.Plus(field.Count)
	}
	return sum
}

// Texts reports whether the master told any values that are no numbers.
func (f Fields) Texts() bool {
	for _, field := range f {
		if field.Text && field.Reported > 0 {
			return true
		}
	}
	return false
}

// A Gap is an input that the bundle lacks, and the fields that cannot be relied on without it.
type Gap struct {
	File   string   `json:"file"`
	What   string   `json:"what"` // it costs, in words
	Fields []string `json:"fields"`
}

// A Difference is a value that is not recomputed as the master tells it.
type Difference struct {
	Job      Value  `json:"job"`            // by which the system knows it; or an entity of the share tree
	Tasks    string `json:"task,omitempty"` // of Grid Engine
	Field    string `json:"field"`
	Master   Value  `json:"master"`
	Computed Value  `json:"recomputed"`
	Class    Class  `json:"class"`
	Why      string `json:"why,omitempty"`
	File     string `json:"file,omitempty"` // that would hold what is missing
}

// Names are the names of fields.
func Names[F interface{ String() string }](fields []F) []string {
	names := []string{}
	for _, f := range fields {
		names = append(names, f.String())
	}
	return names
}
