package words

import "qprism/engine/model"

// Once says what depends on a list of reasons alone, and says it once for each list: the jobs of one category share theirs, so that 50,000
// waiting jobs have a few hundred lists of thousands of reasons. Lists must not change meanwhile.
func Once[T any](say func([]model.Reason) T) func([]model.Reason) T {
	type list struct {
		first *model.Reason
		len   int
	}
	said := map[list]T{}
	return func(why []model.Reason) T {
		if len(why) == 0 {
			return say(why)
		}
		key := list{&why[0], len(why)}
		text, known := said[key]
		if !known {
			text = say(why)
			said[key] = text
		}
		return text
	}
}
