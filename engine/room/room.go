// Package room saves new memory for long lists. A forecast makes many scheduler runs, and the lists of a run of 50,000
// jobs have 20 MB. New memory costs more time than filling it: the system clears each page, and later the garbage
// collector frees it. So Lists keeps the memory of long lists for later lists of the same kind, and Append lets a list
// grow in few steps.
package room

import (
	"slices"
	"sync"
)

// Lists keeps the memory of lists with entries of one kind. The garbage collector frees what no later list takes.
type Lists[T any] struct{ kept sync.Pool }

// For is a list of n entries, which may have old values.
func (l *Lists[T]) For(n int) []T {
	if list, ok := l.kept.Get().(*[]T); ok && cap(*list) >= n {
		return (*list)[:n]
	}
	return make([]T, n)
}

// Keep takes back a list that For made. It may be shorter than before. The caller must not use it afterwards.
func (l *Lists[T]) Keep(list []T) { l.kept.Put(&list) }

// Append is append for long lists: it makes room for twice as many items. append itself makes a long list only a quarter
// longer, so it copies the list three times as often.
func Append[T any](list []T, item T) []T {
	if len(list) == cap(list) {
		list = slices.Grow(list, len(list)+1)
	}
	return append(list, item)
}
