package model

// PBSWords are the PBS equivalents of user requests on a translated cluster.
type PBSWords struct {
	Resources    []PBSWord
	Environments []PBSEnvironment
	Queues       map[string]string // by their names in Grid Engine
	Options      map[string]string // resources for options of qsub: "-dl"
	Hosts        int
}

// A PBSWord is a resource that users ask for with -l.
type PBSWord struct {
	Name, Shortcut string       // in Grid Engine
	To             string       // in PBS; empty for no equivalent
	Type           ResourceType // of PBS
	How            PBSHow
	Note           string // the difference, or why there is no equivalent
}

// PBSHow says where a PBS job requests a resource.
type PBSHow string

// The places.
const (
	PBSOfJob    PBSHow = "job"   // -l NAME=VALUE
	PBSOfSlots  PBSHow = "slots" // the same, with the sum over all slots
	PBSOfSlot   PBSHow = "slot"  // in each chunk, with the sum over its slots
	PBSOfChunk  PBSHow = "chunk" // in each chunk
	PBSOfFirst  PBSHow = "first" // in the first chunk only
	PBSOfQueue  PBSHow = "queue" // it names a queue
	PBSNotAsked PBSHow = "none"
)

// A PBSEnvironment is a parallel environment.
type PBSEnvironment struct {
	Name, Rule string
	Slots      string // the resource for its slots; empty for none
}
