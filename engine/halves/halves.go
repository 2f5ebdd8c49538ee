// Package halves does work on two processors, where the result is the same as on one.
package halves

import "sync"

// Do calls a function for each half of n things. What it does for one thing must not depend on another one.
func Do(n int, do func(from, to int)) {
	var beside sync.WaitGroup
	beside.Go(func() { do(0, n/2) })
	do(n/2, n)
	beside.Wait()
}
