package words

import "qprism/engine/model"

// Once calls say only once for each list of reasons. Jobs of one category share their list, so 50,000 waiting
// jobs have a few hundred lists with thousands of reasons. The lists must not change.
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
