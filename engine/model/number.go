package model

// CutNumber takes the longest number off the front of a text, as strtod(3) does in the C locale: blanks before it,
// hexadecimal, "inf" and "nan" included. Where there is none the value is 0 and the rest the whole text.
func CutNumber(text string) (value float64, rest string) {
	value, rest, err := cutDecimal(text)
	if err != nil {
		return 0, text
	}
	return value, rest
}
