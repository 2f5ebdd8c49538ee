package cadence

import (
	"errors"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Alerts say which messages qprism sends, to whom, and how.
type Alerts struct {
	Mail     []string // addresses
	Command  string   // a program that reads the message on standard input
	Webhook  string   // a URL that gets the message as JSON
	Of       []string // kinds to send: from AlertKinds, and BrokenIntention if Intend is set
	Intend   string   // a file of sentences that should be true; empty for none
	TauB     float64  // for kind order: alert below this tau-b
	Waits    float64  // for kind waits: alert if a job waits longer than this times the forecast
	Failures int      // for kind capture: alert after this many failures in a row
}

// BrokenIntention is the kind of alert for a sentence that is no longer true, or is true again.
const BrokenIntention = "intend"

// AlertKinds are the other kinds of alert.
var AlertKinds = []string{"unexplained", "order", "never", "waits", "capture", "push"}

func (c *configReader) alerts(n *yaml.Node, to *Config) {
	a := &Alerts{Of: AlertKinds, TauB: 0.5, Waits: 3, Failures: 3}
	c.mapping(n, "alerts", fields{
		"mail": parsed(&c.reader, "mail", &a.Mail, addresses), "command": c.path("command", &a.Command),
		"webhook": parsed(&c.reader, "webhook", &a.Webhook, webAddress), "of": func(n *yaml.Node) { c.alertKinds(n, a) },
		"tau_b":    parsed(&c.reader, "tau_b", &a.TauB, between(-1, 1)),
		"waits":    parsed(&c.reader, "waits", &a.Waits, between(1, 1000)),
		"intend":   c.path("intend", &a.Intend),
		"failures": c.number("failures", &a.Failures, 1, 1000),
	})
	if len(a.Mail) == 0 && a.Command == "" && a.Webhook == "" && !c.complained(plain(n)) {
		c.wrong(n.Line, "alerts: name a receiver: mail, command or webhook")
	}
	if a.Intend != "" {
		a.Of = append(slices.Clone(a.Of), BrokenIntention)
		if c.checks.Intend != nil {
			if err := c.checks.Intend(a.Intend); err != nil {
				c.wrong(n.Line, "alerts: intend: %v", err)
			}
		}
	}
	to.Alerts = a
}

// alertKinds reads one kind, or a list.
func (c *configReader) alertKinds(n *yaml.Node, to *Alerts) {
	to.Of = nil
	for _, item := range items(n) {
		var kind string
		if c.choice("of", &kind, AlertKinds...)(item); kind != "" && !slices.Contains(to.Of, kind) {
			to.Of = append(to.Of, kind)
		}
	}
}

func addresses(text string) (list []string, err error) {
	found, err := mail.ParseAddressList(text)
	if err != nil {
		return nil, errors.New("give addresses such as admin@example.org, separated by commas")
	}
	for _, a := range found {
		if strings.HasPrefix(a.Address, "-") {
			return nil, errors.New("an address cannot begin with -")
		}
		list = append(list, a.Address)
	}
	return list, nil
}

func webAddress(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return "", errors.New("give an address such as https://hooks.example.org/qprism")
	}
	return text, nil
}

// between makes a function that reads a number between low and high.
func between(low, high float64) func(string) (float64, error) {
	return func(text string) (float64, error) {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || !(v >= low && v <= high) {
			return 0, errors.New("give a number from " + strconv.FormatFloat(low, 'g', -1, 64) +
				" to " + strconv.FormatFloat(high, 'g', -1, 64))
		}
		return v, nil
	}
}
