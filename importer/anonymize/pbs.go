package anonymize

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/pbs"
	"qprism/importer/source"
)

func readPBS(bundle fs.FS) (*model.Snapshot, error) { return pbs.Read(bundle, pbs.Options{}) }

// pbsForms are the files for objects. The objects may have come in any form. They become JSON under a key, or
// text with words before an id.
var pbsForms = []struct{ kind, part, file, key, head, indent string }{
	{"job", "jobs", "qstat_f.json", "Jobs", "", ""},
	{"queue", "queues", "qstat_Qf.json", "Queue", "", ""},
	{"server", "server", "qstat_Bf.json", "Server", "", ""},
	{"node", "nodes", "pbsnodes_av.json", "nodes", "", ""},
	{"sched", "schedulers", "qmgr_list_sched.txt", "", "Sched ", "    "},
	{"resource", "resources", "qmgr_list_resource.txt", "", "Resource ", "    "},
	{"hook", "hooks", "qmgr_list_hook.txt", "", "Hook ", "    "},
	{"reservation", "reservations", "pbs_rstat_F.txt", "", "Resv ID: ", ""},
}

// pbsRecords are the other files, by part of the bundle, with the function that writes them.
var pbsRecords = map[string]func(w *writer, data []byte) []byte{
	"sched_config": (*writer).schedConfig, "sched_formula": (*writer).schedFormula,
	"resource_group": (*writer).resourceGroup,
	"holidays":       (*writer).holidays,
	"dedicated_time": (*writer).holidays, "pbsfs": (*writer).fairshare, "sched_log": (*writer).schedLog,
	"accounting": (*writer).pbsAccounting,
	"version":    (*writer).pbsVersion, "usage": (*writer).usageFile,
}

// pbs writes all files of a PBS or Torque bundle except MANIFEST.
func (w *writer) pbs() error {
	objects := map[string][]pbs.Object{}
	s, err := pbs.Objects(w.bundle, func(o pbs.Object) { objects[o.Kind] = append(objects[o.Kind], o) })
	if err != nil {
		return err
	}
	maps.Copy(w.structural, pbsFormat)
	var own []string
	for _, r := range s.Resources {
		if !r.BuiltIn {
			own = append(own, r.Name)
		}
	}
	w.usePBSWords(own)
	w.fillManifest(s)
	read := map[string]string{} // the file of each part
	for _, source := range s.PBS.Sources {
		read[source.Name] = source.Value
	}
	// The name of the file may have shown this.
	if jobs := objects["job"]; s.System == model.Torque && s.Release.Version == "" {
		for i := range jobs {
			jobs[i].Attributes = append(jobs[i].Attributes, pbs.Attribute{Name: "torque_table", Value: "True"})
		}
	}
	for _, form := range pbsForms {
		if file := read[form.part]; file != "" {
			w.add(file, form.file, w.objects(form.key, form.head, form.indent, objects[form.kind], w.stamp(file)))
		}
	}
	return w.pbsFiles(read)
}

// fillManifest adds facts to MANIFEST that the original has in any file.
func (w *writer) fillManifest(s *model.Snapshot) {
	kept := w.said
	w.said = nil
	add := func(key, value string) {
		if value != "" {
			w.said = append(w.said, manifestLine{key, value})
		}
	}
	if !s.TakenAt.IsZero() {
		add("taken_at", fmt.Sprintf("%d.%06d", s.TakenAt.Unix(), s.TakenAt.Nanosecond()/1000))
	}
	if !s.ListedAt.IsZero() {
		add("listed_at", fmt.Sprintf("%d.%06d", s.ListedAt.Unix(), s.ListedAt.Nanosecond()/1000))
	}
	if s.Location != source.UnknownZone {
		add("utc_offset", s.Location)
	}
	add("master", s.Cluster)
	add("scheduler", s.PBS.FilesOf)
	for _, l := range kept {
		if l.key == "left_out" || l.key == "without" || l.key == "kept" {
			w.said = append(w.said, l)
		}
	}
}

// add adds a file.
func (w *writer) add(old, name string, data []byte) {
	w.names[old] = name
	w.files = append(w.files, File{name, data})
}

var (
	timestamp   = regexp.MustCompile(`"timestamp":\s*([0-9.]+)`)
	versionText = regexp.MustCompile(`"pbs_version":\s*"([0-9][0-9A-Za-z._-]{0,30})"`)
)

// stamp returns when JSON was printed, and by which release.
func (w *writer) stamp(file string) (text string) {
	f, err := w.bundle.Open(file)
	if err != nil || !strings.Contains(file, "json") {
		return ""
	}
	defer f.Close()
	head := make([]byte, 4096)
	n, _ := f.Read(head)
	if m := timestamp.FindSubmatch(head[:n]); m != nil {
		text = fmt.Sprintf("\"timestamp\": %s,\n", m[1])
	}
	if m := versionText.FindSubmatch(head[:n]); m != nil {
		w.isFormat(string(m[1]))
		text += fmt.Sprintf("\"pbs_version\": \"%s\",\n", m[1])
	}
	return text
}

// objects writes objects as JSON under a key, or as text.
func (w *writer) objects(key, head, indent string, list []pbs.Object, stamp string) []byte {
	var b bytes.Buffer
	if key == "" {
		for _, o := range list {
			fmt.Fprintf(&b, "%s%s\n", head, w.objectID(o))
			for _, a := range o.Attributes {
				fmt.Fprintf(&b, "%s%s = %s\n", indent, w.label(a), w.attribute(o.Kind, a))
			}
			b.WriteByte('\n')
		}
		return b.Bytes()
	}
	fmt.Fprintf(&b, "{\n%s%q: {", stamp, key)
	for i, o := range list {
		fmt.Fprintf(&b, "%s\n%s: {%s}", comma(i), quoted(w.objectID(o)), w.jsonAttributes(o))
	}
	b.WriteString("}\n}\n")
	return b.Bytes()
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

func quoted(text string) string {
	data, _ := json.Marshal(text) // a text always has a form in JSON
	return string(data)
}

// jsonAttributes writes the attributes of an object. Resources of one attribute form a JSON object.
func (w *writer) jsonAttributes(o pbs.Object) string {
	var b strings.Builder
	inside := ""
	for i, a := range o.Attributes {
		if inside != "" && (a.Name != inside || a.Resource == "") {
			b.WriteByte('}')
			inside = ""
		}
		entered := a.Resource != "" && inside == ""
		if i > 0 && (inside == "" || !entered) {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		if entered {
			inside = a.Name
			fmt.Fprintf(&b, "%s: {", quoted(w.key(a.Name)))
		}
		name := w.key(a.Name)
		if a.Resource != "" {
			name = w.resource(a.Resource)
		}
		fmt.Fprintf(&b, "%s: %s", quoted(name), quoted(w.attribute(o.Kind, a)))
	}
	if inside != "" {
		b.WriteByte('}')
	}
	return b.String()
}

var attributeName = regexp.MustCompile(`^[A-Za-z_]{1,40}$`)

// key returns the name of an attribute. It may be a name of the cluster; a final check finds such names.
func (w *writer) key(name string) string {
	if !attributeName.MatchString(name) {
		return w.pbsName(name)
	}
	w.isFormat(name)
	return name
}

// resource is the name of a resource.
func (w *writer) resource(name string) string { return w.pbsText(name, nil) }

func (w *writer) label(a pbs.Attribute) string {
	if a.Resource == "" {
		return w.key(a.Name)
	}
	return w.key(a.Name) + "." + w.resource(a.Resource)
}

// objectID writes the name of an object. The name of a job has a number before it.
func (w *writer) objectID(o pbs.Object) string {
	switch o.Kind {
	case "job", "reservation":
		return w.pbsText(o.ID, nil)
	case "resource":
		return w.resource(o.ID)
	}
	return w.pbsName(o.ID)
}

// attribute writes a value with pseudonyms.
func (w *writer) attribute(kind string, a pbs.Attribute) string {
	switch {
	case a.Name == "comment":
		return w.pbsMessage(a.Value)
	case a.Name == "pbs_version":
		return a.Value
	case a.Name == "job_sort_formula":
		return w.pbsText(a.Value, pbsFormula)
	case a.Resource != "":
		return w.pbsText(a.Value, pbsValues)
	case pbsStated[a.Name]:
		return w.pbsState(a.Value)
	case pbsNamed[a.Name]:
		return w.pbsName(a.Value)
	}
	return w.pbsText(a.Value, pbsValues)
}

// pbsFiles writes all files that are no lists of objects. It notes that all others are left out.
func (w *writer) pbsFiles(read map[string]string) error {
	parts := map[string]string{}
	for part, file := range read {
		parts[file] = part
	}
	return fs.WalkDir(w.bundle, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || name == manifestFile || w.names[name] != "" || parts[name] == "date" {
			return err
		}
		write, to := pbsRecords[parts[name]], path.Base(name)
		if folder := path.Dir(name) + "/"; write == nil && pbsRecords[parts[folder]] != nil {
			write, to = pbsRecords[parts[folder]], parts[folder]+"/"+path.Base(name)
			if parts[folder] == "sched_log" {
				to = "sched_logs/" + path.Base(name)
			}
		}
		if entity, ok := strings.CutPrefix(strings.TrimSuffix(name, ".txt"), "pbsfs_g_"); ok && write == nil {
			write, to = (*writer).fairshare, "pbsfs_g_"+w.pbsName(entity)+".txt"
		} else if name == "pbsfs_t.txt" && write == nil {
			write = (*writer).fairshare
		}
		if write == nil {
			reason := unruled
			if pbs.Knows(name) {
				reason = forPeople
			}
			w.leave(name, "", reason)
			return nil
		}
		data, err := fs.ReadFile(w.bundle, name)
		if err != nil {
			return &importer.Problem{File: name, Err: err}
		}
		made := write(w, data)
		if parts[name] == "usage" && made == nil && len(data) > 0 {
			w.leave(name, "", "it is of the first version, or its names have no room for pseudonyms")
			return nil
		}
		w.add(name, to, made)
		return nil
	})
}

// textOfPBS reports whether a text is the pseudonym of another, in any of the forms in which PBS texts are
// written.
func (c *comparison) textOfPBS(a, b string) bool {
	return b == c.pbsText(a, pbsValues) || b == c.pbsName(a) || b == c.pbsText(a, pbsFormula) || b == c.pbsText(a, nil) ||
		b == c.pbsMessage(a) || b == c.pbsState(a) ||
		b == c.pbsText(a, pbsTree) || b == c.pbsText(a, pbsDays) || b == c.entry(a) || b == c.member(a) ||
		b == c.labelText(a) || a == b &&
		c.findName([]byte(a)) == ""
}

// member writes a list. Each element may have its own form.
func (c *comparison) member(a string) string {
	list := strings.Split(a, ", ")
	for i := range list {
		list[i] = c.pbsName(list[i])
	}
	return strings.Join(list, ", ")
}

// labelText writes the name of an attribute with the name of a resource.
func (c *comparison) labelText(a string) string {
	name, resource, ok := strings.Cut(a, ".")
	if !ok || !attributeName.MatchString(name) {
		return ""
	}
	return name + "." + c.resource(resource)
}

// arranged sorts the lists of files in a snapshot by name. Pseudonyms change their order if some names stay.
func arranged(s *model.Snapshot, name func(string) string) *model.Snapshot {
	if s.PBS == nil {
		return s
	}
	own, p := *s, *s.PBS
	p.FairEntities = slices.Clone(p.FairEntities)
	slices.SortStableFunc(p.FairEntities, func(a, b model.FairEntity) int {
		return strings.Compare(name(a.Name), name(b.Name))
	})
	own.PBS = &p
	return &own
}
