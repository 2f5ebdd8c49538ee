package model

import "time"

// Earliest is the earliest of the moments that are not zero; zero if there are none.
func Earliest(moments ...time.Time) (first time.Time) {
	for _, t := range moments {
		if first.IsZero() || !t.IsZero() && t.Before(first) {
			first = t
		}
	}
	return first
}

// Latest is the latest of moments.
func Latest(moments ...time.Time) (last time.Time) {
	for _, t := range moments {
		if t.After(last) {
			last = t
		}
	}
	return last
}
