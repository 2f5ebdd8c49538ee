package show

// A Document is the JSON type of a command. docs/reference/json.md is generated from all of them.
type Document struct {
	Command string // as typed, with the flags for this output
	Of      any    // a value of the printed type
}
