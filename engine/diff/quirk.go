package diff

import "qprism/engine/model"

// quirk finds the quirk of the release without which the run does not start the early task and let the late
// one wait. Most inversions are there without any quirk as well, which one plan shows.
func (s *step) quirk(late, early Task) (id string, found bool) {
	if len(s.Variants) == 0 || s.decide(model.Quirks{}).inverts(late, early) {
		return "", false
	}
	for _, v := range s.Variants {
		if v.Quirks != s.Release && !s.decide(v.Quirks).inverts(late, early) {
			return v.ID, true
		}
	}
	return "several", true
}
