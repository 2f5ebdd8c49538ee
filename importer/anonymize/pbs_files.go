package anonymize

import (
	"bytes"
	"regexp"
	"strings"
)

var schedKey = regexp.MustCompile(`^[a-z_]{1,40}$`)

// schedNamed are options of sched_config whose value is a name.
var schedNamed = set(`primetime_prefix nonprimetime_prefix dedicated_prefix`)

// schedConfig writes the lines of sched_config. A comment becomes an empty line.
func (w *writer) schedConfig(data []byte) []byte {
	return eachLine(data, func(line string) (string, bool) {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || trimmed[0] == '#' {
			return "", true
		}
		return w.entry(line), true
	})
}

// entry is a line "option: value", or the rest of one.
func (w *writer) entry(line string) string {
	key, value, ok := strings.Cut(line, ":")
	if option := strings.TrimSpace(key); !ok || !schedKey.MatchString(option) {
		return w.pbsText(line, pbsFormula)
	} else if schedNamed[option] {
		return key + ":" + w.pbsName(value)
	}
	w.isFormat(key)
	return key + ":" + w.pbsText(value, pbsFormula)
}

// schedFormula writes the formula after its heading.
func (w *writer) schedFormula(data []byte) []byte {
	return eachLine(data, func(line string) (string, bool) {
		if strings.HasPrefix(line, "### PBS INTERNAL FILE DO NOT MODIFY ###") {
			return "### PBS INTERNAL FILE DO NOT MODIFY ###", true
		}
		return w.pbsText(line, pbsFormula), true
	})
}

// resourceGroup writes nodes of the fairshare tree: name, number, parent, shares.
func (w *writer) resourceGroup(data []byte) []byte {
	return eachLine(data, func(line string) (string, bool) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0][0] == '#' {
			return "", true
		}
		for i := range f {
			if i == 0 || i == 2 {
				f[i] = w.pbsName(f[i])
			} else {
				f[i] = w.pbsText(f[i], nil)
			}
		}
		return strings.Join(f, " "), true
	})
}

// holidays writes holidays and dedicated_time, without comments.
func (w *writer) holidays(data []byte) []byte {
	return eachLine(data, func(line string) (string, bool) {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || trimmed[0] == '#' || trimmed[0] == '*' {
			return "", true
		}
		return w.pbsText(line, pbsDays), true
	})
}

// fairshare writes output of pbsfs: its own words, numbers and entities.
func (w *writer) fairshare(data []byte) []byte {
	return eachLine(data, func(line string) (string, bool) {
		name, rest, ok := strings.Cut(line, ":")
		switch bare := strings.TrimSpace(name); {
		case ok && (bare == "fairshare entity" || strings.HasPrefix(bare, "Path from root")):
			return name + ":" + w.pbsName(rest), true
		case ok && strings.Contains(rest, "Grp:"):
			return w.pbsName(name) + ":" + w.pbsText(rest, pbsTree), true
		case !ok && strings.HasSuffix(line, ")"): // pbsfs -t
			i := strings.LastIndexByte(line, '(')
			return w.pbsName(line[:max(i, 0)]) + line[max(i, 0):], true
		}
		return w.pbsText(line, pbsTree), true
	})
}

var logTime = regexp.MustCompile(`^[0-9/]+ [0-9:.]+$`)

// schedLog keeps the lines of scheduling cycles about jobs, reservations and the server. It drops lines about
// single vnodes.
func (w *writer) schedLog(data []byte) []byte {
	return eachLine(data, func(line string) (string, bool) {
		f := strings.SplitN(line, ";", 6)
		if len(f) < 6 || !logTime.MatchString(f[0]) || f[3] == "Node" || f[3] == "Fil" && f[4] != "fairshare usage" {
			return "", false
		}
		for i := 1; i < 4; i++ {
			f[i] = w.pbsText(f[i], logClasses)
		}
		f[4], f[5] = w.logObject(f[3], f[4]), w.pbsMessage(f[5])
		return strings.Join(f, ";"), true
	})
}

var (
	logClasses = set(`pbs_sched Job Req Svr Sched Resv Fil n/a`)
	logObjects = set(`Fairshare Log pbs_sched reconfigure restart create_resresv_sets`)
)

func (w *writer) logObject(class, object string) string {
	if class != "Job" && class != "Resv" && logObjects[object] {
		return object
	}
	return w.pbsText(object, nil)
}

// pbsAccounting writes records: time;type;id;key=value key=value. A line of another form belongs to the
// previous record.
func (w *writer) pbsAccounting(data []byte) []byte {
	return eachLine(data, func(line string) (string, bool) {
		f := strings.SplitN(line, ";", 4)
		if len(f) < 4 || !logTime.MatchString(f[0]) {
			return w.recordWords(line), true
		}
		f[1], f[2], f[3] = w.pbsState(f[1]), w.pbsText(f[2], nil), w.recordWords(f[3])
		return strings.Join(f, ";"), true
	})
}

// recordWords writes the words of a record. The key of each decides how.
func (w *writer) recordWords(text string) string {
	words := strings.Split(text, " ")
	last := ""
	for i, word := range words {
		key, value, ok := strings.Cut(word, "=")
		name, resource, isResource := strings.Cut(key, ".")
		switch {
		case !ok || !attributeName.MatchString(name):
			words[i] = w.recordValue(last, word)
			continue
		case isResource:
			key = name + "." + w.resource(resource)
		}
		w.isFormat(name)
		last = name
		words[i] = key + "=" + w.recordValue(name, value)
	}
	return strings.Join(words, " ")
}

var recordNames = set(`user group owner jobname queue project account requestor name`)

func (w *writer) recordValue(key, value string) string {
	switch {
	case recordNames[key] || pbsNamed[key]:
		return w.pbsName(value)
	case key == "comment":
		return w.pbsMessage(value)
	}
	return w.pbsText(value, pbsValues)
}

// pbsVersion keeps releases.
func (w *writer) pbsVersion(data []byte) []byte {
	return eachLine(data, func(line string) (string, bool) {
		label, version, ok := strings.Cut(line, "=")
		if !ok {
			label, version, ok = strings.Cut(line, ":")
		}
		label, version = strings.TrimSpace(label), strings.TrimSpace(version)
		known := label == "pbs_version" || strings.EqualFold(label, "version")
		if !ok || !known || !releaseNumber.MatchString(version) {
			return "", false
		}
		w.isFormat(version)
		return strings.TrimSpace(line), true
	})
}

var releaseNumber = regexp.MustCompile(`^[0-9][0-9A-Za-z._-]{0,30}$`)

// The scheduler's usage file has a header, and records with a name of 50 bytes and an amount.
const (
	usageHeader, usageRecord, usageName = 32, 64, 50
	usageMagic                          = "PBS_MAG!\x00"
)

// usageFile writes a usage file of the second version. The file becomes empty if pseudonyms do not fit into the
// names. A file of the first version becomes empty, too.
func (w *writer) usageFile(data []byte) []byte {
	if !bytes.HasPrefix(data, []byte(usageMagic)) || len(data) < usageHeader {
		return nil
	}
	made := bytes.Clone(data)
	for rest := made[usageHeader:]; len(rest) >= usageRecord; rest = rest[usageRecord:] {
		name, _, _ := bytes.Cut(rest[:usageName], []byte{0})
		pseudonym := w.pbsName(string(name))
		if len(pseudonym) >= usageName {
			return nil
		}
		clear(rest[:usageName])
		copy(rest, pseudonym)
	}
	return made
}
