package collect

import (
	"fmt"
	"time"
)

// How long to leave a slow master alone before the next try, and how many tries to make.
const (
	firstRest = 5 * time.Second
	mostRest  = time.Minute
	tries     = 3
)

// A SlowError says that the master is too slow for more commands.
type SlowError struct {
	Took, Slow time.Duration
}

func (e *SlowError) Error() string {
	return fmt.Sprintf("the master took %v for a small answer (slow is more than %v), %d times; nothing "+
		"else was asked of it",
		e.Took.Round(time.Millisecond), e.Slow, tries)
}

// probe runs a small command until its answer comes quickly. Between tries it waits, each time longer.
func (c *capture) probe(ask func() time.Duration) {
	rest := firstRest
	for try := 1; ; try++ {
		took := ask()
		if c.err != nil || c.Slow <= 0 || took <= c.Slow {
			return
		}
		if try == tries {
			c.fail(&SlowError{Took: took, Slow: c.Slow})
			return
		}
		c.wait(max(rest, 2*took))
		rest *= 3
	}
}

// spare waits as long as the last commands took. So the master has half of the time for other work.
func (c *capture) spare(took time.Duration) {
	const notWorthIt = 20 * time.Millisecond
	if took >= notWorthIt {
		c.wait(took)
	}
}

func (c *capture) wait(d time.Duration) {
	if c.err != nil {
		return
	}
	d = min(d, mostRest)
	c.report.Cost.Waited += d
	c.fail(c.Sleep(c.ctx, d))
}
