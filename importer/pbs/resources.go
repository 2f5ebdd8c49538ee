package pbs

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/importer/pbs/object"
)

var resources = &kind{part: "resources", Kind: object.Kind{Name: "Resource"}}

// readResources reads the custom resources, and adds the built-in ones after them.
func readResources(r *reader) error {
	f := r.filler(resources)
	var d model.Resource
	to := places{"type": (*string)(&d.Type), "flag": &d.Flags}
	err := f.objects(func() {
		d = model.Resource{Name: f.rec.ID, Type: model.TypePBSLong}
		f.fill(to, func() { f.listUnknown(f.setting()) })
		r.Snap.Resources = append(r.Snap.Resources, d)
	})
	r.addBuiltIns()
	return err
}

// addBuiltIns adds the built-in resources that the bundle does not define.
func (r *reader) addBuiltIns() {
	r.types = map[string]model.Resource{}
	for _, d := range r.Snap.Resources {
		r.types[d.Name] = d
	}
	for _, d := range builtIn() {
		if _, known := r.types[d.Name]; known {
			continue
		}
		r.types[d.Name] = d
		r.Snap.Resources = append(r.Snap.Resources, d)
	}
}

// builtIn returns the resources of every OpenPBS 23.06 server (pbs_resources(7B)), by name.
func builtIn() (list []model.Resource) {
	for line := range strings.Lines(builtInText) {
		words := strings.Fields(line)
		for _, name := range words[2:] {
			list = append(list, model.Resource{Name: name, Type: model.ResourceType(words[0]),
				Flags: strings.Trim(words[1], "-"), BuiltIn: true})
		}
	}
	slices.SortFunc(list, func(a, b model.Resource) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// builtInText has types, flags as qmgr prints them, and names.
//
//go:embed resources.txt
var builtInText string
