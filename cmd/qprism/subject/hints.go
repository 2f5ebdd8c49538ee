package subject

// Hint is the text of a hint whose commands look at this snapshot too.
func (s *Subject) Hint(text string) string { return s.hints.In(text) }
