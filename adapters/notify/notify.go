// Package notify sends an alert to administrators: by mail, through a program, or by a webhook (notify.go).
package notify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os/exec"
	"strings"
	"time"
)

// Ways are the ways to send a message. Send skips empty ways.
type Ways struct {
	Mail    []string // addresses for sendmail of this machine
	Command string   // a program that reads the message on standard input
	Webhook string   // Send posts the JSON to this URL
}

// A Message is one message in two forms.
type Message struct {
	Subject, Text string // for people; Text ends with a line break
	JSON          []byte // the same for a webhook
}

// patience is the time limit of each way.
const patience = 30 * time.Second

// Send sends a message in all ways. The error names the ways that failed. sent reports whether one way
// succeeded.
func (w Ways) Send(ctx context.Context, m Message) (sent bool, err error) {
	var failed []error
	try := func(asked bool, how string, do func(context.Context) error) {
		if !asked {
			return
		}
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		if err := do(ctx); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", how, err))
		} else {
			sent = true
		}
	}
	try(len(w.Mail) > 0, "mail", func(ctx context.Context) error { return w.mail(ctx, m) })
	try(w.Command != "", "command", func(ctx context.Context) error {
		return run(ctx, m.Subject+"\n\n"+m.Text, w.Command)
	})
	try(w.Webhook != "", "webhook", func(ctx context.Context) error { return w.post(ctx, m) })
	return sent, errors.Join(failed...)
}

// mail gives the message to sendmail, which reads the addresses from its head.
func (w Ways) mail(ctx context.Context, m Message) error {
	program := "sendmail"
	if _, err := exec.LookPath(program); err != nil {
		program = "/usr/sbin/sendmail"
	}
	head := fmt.Sprintf("To: %s\nSubject: %s\nMIME-Version: 1.0\nContent-Type: text/plain; "+
		"charset=utf-8\nAuto-Submitted: auto-generated\n\n",
		strings.Join(w.Mail, ", "), mime.QEncoding.Encode("utf-8", m.Subject))
	return run(ctx, head+m.Text, program, "-t", "-i")
}

// run runs a program that reads a text.
func run(ctx context.Context, text, program string, args ...string) error {
	c := exec.CommandContext(ctx, program, args...)
	c.Stdin = strings.NewReader(text)
	c.WaitDelay = time.Second
	if out, err := c.CombinedOutput(); err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		return fmt.Errorf("%s: %w %s", program, err, line)
	}
	return nil
}

// post sends the message to the webhook. It follows no redirect.
func (w Ways) post(ctx context.Context, m Message) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.Webhook, bytes.NewReader(m.JSON))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<16))
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("it answered %s", answer.Status)
	}
	return nil
}
