package source

import "hash/maphash"

// Strings stores repeated texts, such as owners, queues and states, only once. It forgets old texts, so it
// needs little memory even if no text repeats.
type Strings struct {
	seed  maphash.Seed
	slots [4096]string
}

// newStrings returns an empty cache.
func newStrings() *Strings { return &Strings{seed: maphash.MakeSeed()} }

// Get returns the text as a string.
func (c *Strings) Get(text []byte) string {
	const longest = 128 // longer texts seldom repeat
	switch {
	case len(text) == 0:
		return ""
	case len(text) > longest:
		return string(text)
	}
	slot := &c.slots[maphash.Bytes(c.seed, text)%uint64(len(c.slots))]
	if *slot != string(text) {
		*slot = string(text)
	}
	return *slot
}

// A Slab allocates many small slices at once.
type Slab[T any] struct{ free []T }

// Keep copies list into the slab. It returns nil for an empty list. The result has no free capacity, so append
// copies it.
func (s *Slab[T]) Keep(list ...T) []T {
	const size = 1024
	n := len(list)
	switch {
	case n == 0:
		return nil
	case n > size/8:
		return append([]T(nil), list...)
	case n > len(s.free):
		s.free = make([]T, size)
	}
	kept := s.free[:n:n]
	copy(kept, list)
	s.free = s.free[n:]
	return kept
}

// New returns a pointer to a zero value in the slab.
func (s *Slab[T]) New() *T {
	var zero T
	return &s.Keep(zero)[0]
}
