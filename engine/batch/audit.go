package batch

import (
	"encoding/json"

	"qprism/engine/model"
)

// An Audit compares the last scheduler run with the master's numbers.
type Audit struct {
	Cluster string `json:"cluster"`
	Release string `json:"release"`
	Rules   string `json:"quirks"` // name of the release whose rules were used
	Moment
	From        string          `json:"recomputed_from,omitempty"` // in words; empty for the bundle itself
	Agrees      bool            `json:"agrees"`                    // all recomputed values equal the master's
	Fields      Fields          `json:"fields"`
	Gaps        []Gap           `json:"missing"`
	Differences []Difference    `json:"disagreements"`
	LeftOut     []model.LeftOut `json:"left_out,omitempty"`
	Repairs     []model.Repair  `json:"repaired,omitempty"` // values that commands printed wrong, and their correction
}

// A Field is a kind of value that the master prints for jobs or the share tree, and the number of values that
// agree.
type Field struct {
	Name string // the system's own name
	Text bool   // its values are texts, such as vnodes
	Count
}

// Fields of an audit, in the order of reports.
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

// Texts reports whether the master has any values that are no numbers.
func (f Fields) Texts() bool {
	for _, field := range f {
		if field.Text && field.Reported > 0 {
			return true
		}
	}
	return false
}

// A Gap is an input that the bundle lacks, and the fields that depend on it.
type Gap struct {
	File   string   `json:"file"`
	What   string   `json:"what"` // the consequence, in words
	Fields []string `json:"fields"`
}

// A Difference is a recomputed value that differs from the master's.
type Difference struct {
	Job      Value  `json:"job"`            // the system's id of the job, or an entity of the share tree
	Tasks    string `json:"task,omitempty"` // for Grid Engine
	Field    string `json:"field"`
	Master   Value  `json:"master"`
	Computed Value  `json:"recomputed"`
	Class    Class  `json:"class"`
	Why      string `json:"why,omitempty"`
	File     string `json:"file,omitempty"` // the file that would have the missing information
}

// Names are the names of fields.
func Names[F interface{ String() string }](fields []F) []string {
	names := []string{}
	for _, f := range fields {
		names = append(names, f.String())
	}
	return names
}
