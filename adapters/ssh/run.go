package ssh

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/crypto/ssh"
)

// grace is how long a command gets to end after the request to end. Then the connection is closed.
const grace = 2 * time.Second

// Run runs a command, given as an argument vector, and waits for its end. An error means that the command did
// not run to its end; a status other than 0 is no error. When the context ends, Run asks the command to end.
// (sshd does not pass this request on to commands of root.) If the command does not end, Run closes the
// connection. Commands may run at the same time, up to the host's limit (MaxSessions of sshd_config(5), 10 by
// default).
func (c *Client) Run(ctx context.Context, argv []string, stdin io.Reader, stdout, stderr io.Writer) (
	status int, err error) {
	if len(argv) == 0 {
		return 0, errors.New("no command")
	}
	s, err := c.session(ctx)
	if err != nil {
		return 0, c.failure(ctx, err)
	}
	defer s.Close()
	done := make(chan struct{})
	defer close(done)
	stop := context.AfterFunc(ctx, func() { c.end(s, done) })
	defer stop()
	s.Stdin, s.Stdout, s.Stderr = stdin, stdout, stderr
	if err = s.Start(quote(argv)); err == nil {
		err = s.Wait()
	}
	var exit *ssh.ExitError
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case errors.As(err, &exit) && exit.Signal() == "":
		return exit.ExitStatus(), nil
	}
	return 0, c.failure(ctx, err)
}

// session opens a session. If the connection ends at that moment, the request may never get an answer. So Run
// does not wait for the answer then.
func (c *Client) session(ctx context.Context) (*ssh.Session, error) {
	type opened struct {
		session *ssh.Session
		err     error
	}
	answer, done := make(chan opened, 1), make(chan struct{})
	defer close(done)
	defer context.AfterFunc(ctx, func() { c.giveUpUnless(done) })()
	go func() {
		s, err := c.conn.NewSession()
		answer <- opened{s, err}
	}()
	select {
	case o := <-answer:
		if o.err != nil {
			return nil, fmt.Errorf("open a session on %v: %w", c.host, o.err)
		}
		return o.session, nil
	case <-c.dead:
		return nil, c.reason(fmt.Errorf("the connection to %v was lost", c.host))
	}
}

// end tells the command of a session to end.
func (c *Client) end(s *ssh.Session, done <-chan struct{}) {
	go func() { _ = s.Signal(ssh.SIGTERM); _ = s.Close() }() // both calls may never return if the connection hangs
	c.giveUpUnless(done)
}

// giveUpUnless gives the connection up if done is not closed within the time of grace.
func (c *Client) giveUpUnless(done <-chan struct{}) {
	select {
	case <-done:
	case <-time.After(grace):
		c.giveUp(fmt.Errorf("%v does not end a command", c.host))
	}
}

// failure returns the cause of an error.
func (c *Client) failure(ctx context.Context, err error) error {
	var missing *ssh.ExitMissingError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &missing) || errors.Is(err, io.EOF):
		return c.reason(fmt.Errorf("the connection to %v was lost", c.host))
	}
	return c.reason(err)
}
