package model

// A Resource is an entry of the complex, complex(5).
type Resource struct {
	Name, Shortcut string
	Type           ResourceType
	Relop          Relop
	Requestable    Requestable
	Consumable     Consumable
	Default        string // amount for a job that does not ask for it
	Urgency        string // for one unit, as configured: a number, a time or a memory value

	Flags   string // PBS: h chunk, n vnode, f first vnode, q server and queue, i invisible, r read only, m cached
	BuiltIn bool   // PBS: the server always knows it
}

// A ResourceType is the type of a complex entry.
type ResourceType string

// The types of complex(5). Only newer releases have RSMAP.
const (
	TypeInt      ResourceType = "INT"
	TypeDouble   ResourceType = "DOUBLE"
	TypeTime     ResourceType = "TIME"
	TypeMemory   ResourceType = "MEMORY"
	TypeBool     ResourceType = "BOOL"
	TypeString   ResourceType = "STRING"
	TypeCString  ResourceType = "CSTRING"
	TypeReString ResourceType = "RESTRING"
	TypeHost     ResourceType = "HOST"
	TypeRSMap    ResourceType = "RSMAP"
)

// The types of PBS resources, pbs_resources(7B). Sizes are in kilobytes, times in seconds.
const (
	TypePBSLong        ResourceType = "long"
	TypePBSFloat       ResourceType = "float"
	TypePBSSize        ResourceType = "size"
	TypePBSTime        ResourceType = "time"
	TypePBSBoolean     ResourceType = "boolean"
	TypePBSString      ResourceType = "string"
	TypePBSStringArray ResourceType = "string_array"
)

// Numeric reports whether the Grid Engine scheduler reads values of the type as numbers.
func (t ResourceType) Numeric() bool {
	switch t {
	case TypeInt, TypeDouble, TypeTime, TypeMemory, TypeBool, TypeRSMap:
		return true
	}
	return false
}

// A Relop compares a request with the available value; "<=" for consumables.
type Relop string

// The relational operators of complex(5).
const (
	Equal     Relop = "=="
	NotEqual  Relop = "!="
	AtLeast   Relop = ">="
	Greater   Relop = ">"
	AtMost    Relop = "<="
	Less      Relop = "<"
	Exclusive Relop = "EXCL"
)

// Requestable says whether a job may, or must, ask for a resource.
type Requestable string

// The values of the requestable column.
const (
	RequestNo     Requestable = "NO"
	RequestYes    Requestable = "YES"
	RequestForced Requestable = "FORCED"
)

// Consumable says how the scheduler books a resource: not at all, for each slot, once for the job, or once
// for each host.
type Consumable string

// The kinds of consumables. Only newer releases have HOST.
const (
	ConsumeNo   Consumable = "NO"
	ConsumeYes  Consumable = "YES"
	ConsumeJob  Consumable = "JOB"
	ConsumeHost Consumable = "HOST"
)

// An Amount is a named number: a capacity, a factor, a usage.
type Amount struct {
	Name  string
	Value float64
}

// A Setting is a configured value with its name: "scratch" "34G".
type Setting struct {
	Name, Value string
}

// Text is the value of the first setting with a name; ok says whether there is one.
func Text(settings []Setting, name string) (value string, ok bool) {
	for _, s := range settings {
		if s.Name == name {
			return s.Value, true
		}
	}
	return "", false
}
