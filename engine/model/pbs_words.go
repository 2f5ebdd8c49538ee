package model

// PBSWords are how users of a translated cluster say to PBS what they said to Grid Engine.
type PBSWords struct {
	Resources    []PBSWord
	Environments []PBSEnvironment
	Queues       map[string]string // by their names in Grid Engine
	Options      map[string]string // resources that stand for options of qsub: "-dl"
	Hosts        int
}

// A PBSWord is a resource that users ask for with -l.
type PBSWord struct {
	Name, Shortcut string       // in Grid Engine
	To             string       // in PBS; empty where it has nothing for it
	Type           ResourceType // of PBS
	How            PBSHow
	Note           string // what is different, or why there is nothing
}

// PBSHow says where a job of PBS asks for a resource.
type PBSHow string

// The places.
const (
	PBSOfJob    PBSHow = "job"   // -l NAME=VALUE
	PBSOfSlots  PBSHow = "slots" // likewise, as much as all slots ask for
	PBSOfSlot   PBSHow = "slot"  // in each chunk, as much as its slots ask for
	PBSOfChunk  PBSHow = "chunk" // in each chunk
	PBSOfFirst  PBSHow = "first" // in the first chunk alone
	PBSOfQueue  PBSHow = "queue" // it names a queue
	PBSNotAsked PBSHow = "none"
)

// A PBSEnvironment is a parallel environment.
type PBSEnvironment struct {
	Name, Rule string
	Slots      string // the resource that counts its slots; empty for none
}
