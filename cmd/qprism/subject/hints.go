package subject

// Command is a command of a hint, which looks at this snapshot too.
func (s *Subject) Command(name string, args ...string) string { return s.hints.Command(name, args...) }
