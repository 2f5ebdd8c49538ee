package model

// CutOutside splits a text at a byte outside quotes.
func CutOutside(s string, at byte) []string {
	var parts []string
	quote, from := byte(0), 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == at:
			parts, from = append(parts, s[from:i]), i+1
		}
	}
	return append(parts, s[from:])
}
