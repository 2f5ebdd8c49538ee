package model

// A Resource is an entry of the complex, as complex(5) defines it.
type Resource struct {
	Name, Shortcut string
	Type           ResourceType
	Relop          Relop
	Requestable    Requestable
	Consumable     Consumable
	Default        string // the amount booked for a job that asks for none
	Urgency        string // urgency of one unit, as configured; a number or a time or memory value

	Flags   string // of PBS: h chunk, n vnode, f first vnode, q server and queue, i invisible, r read only, m cached
	BuiltIn bool   // of PBS: the server knows it without being told
}

// A ResourceType is the type of a complex entry.
type ResourceType string

// The types of complex(5). RSMAP is of newer releases.
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

// The types of PBS resources, pbs_resources(7B). Amounts of sizes are kilobytes, those of times seconds.
const (
	TypePBSLong        ResourceType = "long"
	TypePBSFloat       ResourceType = "float"
	TypePBSSize        ResourceType = "size"
	TypePBSTime        ResourceType = "time"
	TypePBSBoolean     ResourceType = "boolean"
	TypePBSString      ResourceType = "string"
	TypePBSStringArray ResourceType = "string_array"
)

// Numeric reports whether values of the type are numbers to the Grid Engine scheduler.
func (t ResourceType) Numeric() bool {
	switch t {
	case TypeInt, TypeDouble, TypeTime, TypeMemory, TypeBool, TypeRSMap:
		return true
	}
	return false
}

// A Relop compares a request with what is there, "<=" for consumables.
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

// Requestable says whether a job may or must ask for a resource.
type Requestable string

// The values of the requestable column.
const (
	RequestNo     Requestable = "NO"
	RequestYes    Requestable = "YES"
	RequestForced Requestable = "FORCED"
)

// Consumable says how a resource is booked: not at all, for each slot, once for the job, or once for each host.
type Consumable string

// The kinds of consumables; HOST is of newer releases.
const (
	ConsumeNo   Consumable = "NO"
	ConsumeYes  Consumable = "YES"
	ConsumeJob  Consumable = "JOB"
	ConsumeHost Consumable = "HOST"
)

// An Amount is a value with a name: a capacity, a factor, a usage.
type Amount struct {
	Name  string
	Value float64
}

// A Setting is a value as configured, with its name: "scratch" "34G".
type Setting struct {
	Name, Value string
}

// Text is the value of the first setting of that name; ok says whether there is one.
func Text(settings []Setting, name string) (value string, ok bool) {
	for _, s := range settings {
		if s.Name == name {
			return s.Value, true
		}
	}
	return "", false
}
