package show

// A Document is what a command prints in JSON: docs/reference/json.md is made of all of them.
type Document struct {
	Command string // as it is typed, with the flags that make it print this
	Of      any    // a value of the type that is printed
}
