package qconf

import (
	"fmt"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/importer/gridengine/bundle"
)

// readComplex reads complex.txt, the output of qconf -sc: complex(5). A line has eight columns. Univa and
// Altair Grid Engine have a ninth, aapre, which changes no plan.
func readComplex(c *configReader) error {
	const file = "complex.txt"
	lines, err := c.lines(file)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, l := range lines {
		if l.comment() {
			continue
		}
		r, err := parseResource(l.text)
		if err == nil && seen[r.Name] {
			err = bundle.ErrAgain
		}
		if err != nil {
			c.LeaveOut(file, l.number, l.text, err)
			continue
		}
		seen[r.Name] = true
		c.newWords(file, l, r)
		c.Snap.Resources = append(c.Snap.Resources, r)
	}
	return nil
}

func parseResource(text string) (model.Resource, error) {
	const columns = 8
	f := strings.Fields(text)
	if len(f) != columns && len(f) != columns+1 {
		return model.Resource{}, fmt.Errorf("%d columns, not %d", len(f), columns)
	}
	return model.Resource{
		Name:        f[0],
		Shortcut:    f[1],
		Type:        model.ResourceType(strings.ToUpper(f[2])),
		Relop:       model.Relop(strings.ToUpper(f[3])),
		Requestable: longForm(f[4], requestables),
		Consumable:  longForm(f[5], consumables),
		Default:     f[6],
		Urgency:     f[7],
	}, nil
}

// longForm returns the word for a letter or word in any case. An unknown word stays as it is.
func longForm[T ~string](word string, long []T) T {
	for _, l := range long {
		if strings.EqualFold(word, string(l)) || strings.EqualFold(word, string(l[:1])) {
			return l
		}
	}
	return T(word)
}

// newWords lists words of other releases; the entry is kept with them.
func (c *configReader) newWords(file string, l line, r model.Resource) {
	if !r.Type.Numeric() && !slices.Contains(stringTypes, r.Type) {
		c.Unknown(file, l.number, "type", string(r.Type))
	}
	if !slices.Contains(relops, r.Relop) {
		c.Unknown(file, l.number, "relop", string(r.Relop))
	}
	if !slices.Contains(requestables, r.Requestable) {
		c.Unknown(file, l.number, "requestable", string(r.Requestable))
	}
	if !slices.Contains(consumables, r.Consumable) {
		c.Unknown(file, l.number, "consumable", string(r.Consumable))
	}
}

var (
	stringTypes = []model.ResourceType{model.TypeString, model.TypeCString, model.TypeReString, model.TypeHost}
	relops      = []model.Relop{model.Equal, model.NotEqual, model.AtLeast, model.Greater,
		model.AtMost, model.Less, model.Exclusive}
	requestables = []model.Requestable{model.RequestNo, model.RequestYes, model.RequestForced}
	consumables  = []model.Consumable{model.ConsumeNo, model.ConsumeYes, model.ConsumeJob, model.ConsumeHost}
)
