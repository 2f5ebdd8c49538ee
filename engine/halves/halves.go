// Package halves divides work on a list into two halves, one for each of two processors. A half may divide its
// own work again: then more than two goroutines run, and share the processors. The result must have the same
// bits as on one processor. So a half usually writes only data of its own items. A value that both halves write
// needs a lock, and must not depend on the order of the writes. So such a value can be a maximum of integers, but
// not a sum of floats.
//
// A Group runs functions at the same time, such as the two halves. If one of these functions panics,
// Group.Wait panics in the goroutine of the caller.
package halves

import "sync"

// Both calls two functions at the same time, and waits for both, even if one panics.
func Both(first, second func()) {
	var beside Group
	beside.Go(first)
	defer beside.Wait()
	second()
}

// Do calls a function for each half of n things. What it does for one thing must not depend on another one. If both
// halves write something, it needs a lock, and its value must not depend on their order: the greatest of integers.
func Do(n int, do func(from, to int)) {
	Both(func() { do(0, n/2) }, func() { do(n/2, n) })
}

// Make makes something of each half of n things, as Do does.
func Make[T any](n int, of func(from, to int) T) (first, second T) {
	Both(func() { first = of(0, n/2) }, func() { second = of(n/2, n) })
	return first, second
}

// A Group is a sync.WaitGroup whose Wait panics if one of its functions did. A panic in a goroutine ends the program;
// a panic in Wait is the caller's, who may recover: a task of serve fails, and serve goes on.
type Group struct {
	all      sync.WaitGroup
	once     sync.Once
	panicked any
}

// Go calls a function in a goroutine of its own.
func (g *Group) Go(do func()) {
	g.all.Go(func() {
		defer func() {
			if p := recover(); p != nil {
				g.once.Do(func() { g.panicked = p })
			}
		}()
		do()
	})
}

// Wait waits until all functions have ended.
func (g *Group) Wait() {
	g.all.Wait()
	if g.panicked != nil {
		panic(g.panicked)
	}
}
