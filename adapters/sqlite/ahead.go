package sqlite

import (
	"errors"
	"sync"
)

// errEnough ends the reading for a consumer that needs no more.
var errEnough = errors.New("no more is needed")

// ahead reads from a transaction in another goroutine, while use works on what was read before. read sends each item to
// use. After an error of use, or a panic, ahead ends the reading. ahead returns after both have ended, so only one of the
// goroutines uses the transaction at a time.
func ahead[T any](t *tx, read func(send func(T)), use func(T) error) {
	items, end := make(chan T, 16), make(chan struct{})
	var reading sync.WaitGroup
	var panicked any
	reading.Go(func() {
		defer close(items)
		defer func() { panicked = recover() }()
		read(func(item T) {
			select {
			case items <- item:
			case <-end:
				t.fail(errEnough)
			}
		})
	})
	var err error
	func() {
		defer reading.Wait()
		defer close(end)
		for item := range items {
			if err = use(item); err != nil {
				return
			}
		}
	}()
	if panicked != nil {
		panic(panicked)
	}
	if errors.Is(t.err, errEnough) {
		t.err = nil
	}
	t.fail(err)
}
