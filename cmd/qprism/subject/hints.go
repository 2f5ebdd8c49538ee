package subject

// Command is a command for a hint, about the same snapshot.
func (s *Subject) Command(name string, args ...string) string { return s.hints.Command(name, args...) }
