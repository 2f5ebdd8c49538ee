package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"qprism/adapters/local"
	"qprism/adapters/shell"
	"qprism/adapters/ssh"
	"qprism/importer/collect"
)

// A reach says where a cluster's commands run: on this machine, or over SSH.
type reach struct {
	from      string // [user@]host[:port], as ssh(1) and its configuration understand it; this machine if empty
	settings  string // a file that the shell there reads first
	sshConfig string // a file instead of the user's own and the system's
	client    ssh.Options
}

// addReach gives a command the flags that say how to reach a cluster.
func addReach(c *cobra.Command, r *reach) {
	c.Flags().StringVar(&r.from, "from", "", "run the cluster's commands on `[user@]host[:port]`, over SSH (default: on this machine)")
	c.Flags().StringVar(&r.sshConfig, "ssh-config", "", "a `file` in the form of ssh_config(5) that says how to get there (default: ~/.ssh/config and /etc/ssh/ssh_config)")
	c.Flags().StringVar(&r.settings, "settings", "", "a shell `script` to read there first, such as /opt/sge/default/common/settings.sh")
}

// A hostCloser is a host with a connection to end.
type hostCloser interface {
	shell.Host
	io.Closer
}

// here reports whether the commands run on this machine.
func (r reach) here() bool { return r.from == "" || r.from == "." }

// connect reaches the host.
func (r reach) connect(ctx context.Context) (hostCloser, error) {
	if r.here() {
		return local.Host{}, nil
	}
	if r.sshConfig != "" {
		if _, err := os.Stat(r.sshConfig); err != nil {
			return nil, fmt.Errorf("--ssh-config: %w", err)
		}
		r.client.Config = []string{r.sshConfig}
	}
	return ssh.Dial(ctx, r.from, r.client)
}

// name is a name for files about the cluster.
func (r reach) name() string {
	if r.here() {
		return "this machine"
	}
	return url.PathEscape(r.from)
}

// state is a folder beside the store for what is kept of a cluster from one capture to the next: of the cluster that was reached, since others can be
// reached in the same way.
func (r reach) state(d *deps, site *collect.Site) string {
	return filepath.Join(filepath.Dir(d.store), "capture", r.name()+"-"+site.Sum())
}

// words say how a cluster is reached.
func (r reach) words() string {
	text := "on this machine"
	if !r.here() {
		text = "over " + r.from
	}
	if r.settings != "" {
		text += " with " + r.settings
	}
	return text
}

// A reached cluster runs commands in a shell where the cluster's clients are.
type reached struct {
	host  hostCloser
	shell *shell.Shell
}

// open reaches the host and starts the shell.
func (r reach) open(ctx context.Context) (*reached, error) {
	host, err := r.connect(ctx)
	if err != nil {
		return nil, err
	}
	s, err := shell.Open(ctx, host, shell.Options{Settings: r.settings})
	if err != nil {
		host.Close()
		return nil, fmt.Errorf("%v: %w", host, err)
	}
	return &reached{host: host, shell: s}, nil
}

// Run runs one command, as collect.Runner wants it.
func (r *reached) Run(ctx context.Context, argv []string, stdout io.Writer) (status int, complaints string, took time.Duration, err error) {
	result, err := r.shell.Run(ctx, argv, stdout)
	return result.Status, result.Complaints, result.Took, err
}

// Close ends the shell and the connection.
func (r *reached) Close() {
	r.shell.Close()
	r.host.Close()
}
