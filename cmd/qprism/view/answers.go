package view

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/next"
	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/queue"
	"qprism/cmd/qprism/subject"
	"qprism/cmd/qprism/trial"
	"qprism/engine/model"
)

// groups have the commands that may answer. None of them changes anything.
var groups = []cli.Group{queue.Group, next.Group, trial.Group, past.Group}

// answer returns the output of a command. Findings are no error here, because the answer has them.
func answer(ctx context.Context, d cli.Deps, args []string) ([]byte, error) {
	for _, group := range groups {
		for _, c := range group.Commands(&d) {
			if c.Name() != args[0] {
				continue
			}
			var out bytes.Buffer
			c.SetArgs(args[1:])
			c.SetOut(&out)
			c.SetErr(io.Discard)
			c.SilenceErrors, c.SilenceUsage = true, true
			err := c.ExecuteContext(ctx)
			if _, is := errors.AsType[*cli.DisagreementError](err); is {
				err = nil
			}
			return out.Bytes(), err
		}
	}
	return nil, fmt.Errorf("there is no command %s", args[0])
}

// mostKept limits the kept answers about one moment, in bytes as sent.
const mostKept = 64 << 20

// Answers has the answers of commands for one bundle or stored snapshot. It computes each answer once, one at a
// time.
type Answers struct {
	deps  cli.Deps
	named []string // how a command line names the moment
	jobs  int      // in the snapshot
	turn  chan struct{}

	naming sync.Once
	names  *names // of users and jobs; nil until a user who sees only own jobs asks

	mu   sync.Mutex
	kept map[string]*packed
	size int
}

// read reads a moment, about which commands are asked then.
func read(ctx context.Context, d *cli.Deps, m Moment) (*Answers, error) {
	a := &Answers{deps: *d, named: m.named, turn: make(chan struct{}, 1), kept: map[string]*packed{}}
	sel, args := m.selection()
	a.deps.Called = nil // nobody reads warnings
	s, err := subject.Load(ctx, &a.deps, &sel, args)
	if err != nil {
		return nil, err
	}
	a.jobs = len(s.Jobs)
	a.deps.Held, a.deps.Made = map[string]*snapshot{m.heldAs(): s}, &sync.Map{}
	return a, nil
}

// of is the answer to a question, kept from when it was asked first.
func (a *Answers) of(ctx context.Context, question string, ask func() ([]byte, error)) (*packed, error) {
	if p := a.known(question); p != nil {
		return p, nil
	}
	select {
	case a.turn <- struct{}{}:
		defer func() { <-a.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if p := a.known(question); p != nil { // while this one waited for its turn
		return p, nil
	}
	text, err := ask()
	if err != nil {
		return nil, err
	}
	p := pack(text)
	a.keep(question, p)
	return p, nil
}

// about answers a question from a moment as it was read, and keeps the answer.
func (a *Answers) about(ctx context.Context, m *Moment, question string, ask func(*subject.Subject) ([]byte, error)) (
	*packed, error) {
	return a.of(ctx, question, func() ([]byte, error) {
		d := a.deps
		sel, args := m.selection()
		s, err := subject.Of(ctx, &d, &sel, args)
		if err != nil {
			return nil, err
		}
		return ask(s)
	})
}

// nextRun is the plan of the next run, made once for all questions about the moment.
func (a *Answers) nextRun(s *subject.Subject) (*model.Plan, error) {
	at, err := s.Moment()
	if err == nil {
		err = s.Batch.Lacks(false)
	}
	if err != nil {
		return nil, err
	}
	return cli.Once(&a.deps, "the next run", func() *model.Plan { return s.Batch.Plan(at.At) }), nil
}

func (a *Answers) known(question string) *packed {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.kept[question]
}

// keep keeps an answer. If there are too many, it drops all of them; they are computed again later.
func (a *Answers) keep(question string, p *packed) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.size+len(p.bytes) > mostKept {
		clear(a.kept)
		a.size = 0
	}
	a.kept[question] = p
	a.size += len(p.bytes)
}

// command returns the output of a command about the moment, in a format.
func (a *Answers) command(ctx context.Context, format string, args ...string) (*packed, error) {
	return a.of(ctx, fmt.Sprint(format, args), func() ([]byte, error) {
		d := a.deps
		d.Format = format
		return answer(ctx, d, append(args[:len(args):len(args)], a.named...))
	})
}

// A packed answer has the form in which it is sent: compressed, unless it is short.
type packed struct {
	bytes []byte
	gzip  bool
}

// shortest is the least size that is worth compressing.
const shortest = 1 << 10

func pack(text []byte) *packed {
	if len(text) < shortest {
		return &packed{bytes: text}
	}
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	_, _ = w.Write(text) // a buffer takes everything
	_ = w.Close()
	return &packed{bytes: b.Bytes(), gzip: true}
}

// open reads the answer itself.
func (p *packed) open() io.Reader {
	if !p.gzip {
		return bytes.NewReader(p.bytes)
	}
	r, err := gzip.NewReader(bytes.NewReader(p.bytes))
	if err != nil {
		panic(err) // we made it
	}
	return r
}

// send sends the answer to who asked.
func (p *packed) send(w http.ResponseWriter, r *http.Request, kind string) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Accept-Encoding")
	if p.gzip && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		_, _ = w.Write(p.bytes)
		return
	}
	_, _ = io.Copy(w, p.open())
}
