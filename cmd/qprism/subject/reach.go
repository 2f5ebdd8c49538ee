package subject

import (
	"cmp"
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
	"qprism/cmd/names"
	"qprism/cmd/qprism/cli"
	"qprism/importer/collect"
)

// A Reach says where the cluster's commands run: on this machine, or over SSH.
type Reach struct {
	From      string // [user@]host[:port] as in ssh(1) and its configuration; empty for this machine
	Settings  string // a file on From that the shell reads first
	SshConfig string // replaces the ssh configuration of the user and of the system
	Client    ssh.Options
}

// AddReach adds the flags that say how to reach a cluster.
func AddReach(c *cobra.Command, r *Reach) {
	c.Flags().StringVar(&r.From, "from", "", "run the commands of the cluster on `[user@]host[:port]` "+
		"over SSH (default: on this machine)")
	c.Flags().StringVar(&r.SshConfig, "ssh-config", "",
		"a `file` in the format of ssh_config(5) for the connection (default: ~/.ssh/config and /etc/ssh/ssh_config)")
	c.Flags().StringVar(&r.Settings, "settings", "",
		"a shell `script` to read first on that host, such as /opt/sge/default/common/settings.sh")
}

// A HostCloser is a host with a connection that Close ends.
type HostCloser interface {
	shell.Host
	io.Closer
}

// here reports whether the commands run on this machine.
func (r Reach) here() bool { return r.From == "" || r.From == "." }

func (r Reach) Connect(ctx context.Context) (HostCloser, error) {
	if r.here() {
		return local.Host{}, nil
	}
	if r.SshConfig != "" {
		if _, err := os.Stat(r.SshConfig); err != nil {
			return nil, fmt.Errorf("--ssh-config: %w", err)
		}
		r.Client.Config = []string{r.SshConfig}
	}
	o := r.Client
	o.Lookup = names.Host
	if name, home, err := names.User(); err == nil { // without a name, ssh reports what it lacks
		o.User, o.Home = cmp.Or(o.User, name), cmp.Or(o.Home, home)
	}
	return ssh.Dial(ctx, r.From, o)
}

// name is a name for files about the cluster.
func (r Reach) name() string {
	if r.here() {
		return "this-machine"
	}
	return url.PathEscape(r.From)
}

// State returns the folder beside the store that keeps data from one capture to the next. Its name contains the
// identity of the cluster, because later the same host name may lead to another cluster.
func (r Reach) State(d *cli.Deps, site *collect.Site) string {
	return filepath.Join(filepath.Dir(d.Store), "capture", r.name()+"-"+site.Sum())
}

// Words says how qprism reaches the cluster.
func (r Reach) Words() string {
	text := "on this machine"
	if !r.here() {
		text = "over " + r.From
	}
	if r.Settings != "" {
		text += " with " + r.Settings
	}
	return text
}

// A Reached is a shell on a host with the cluster's commands.
type Reached struct {
	Host  HostCloser
	Shell *shell.Shell
}

// Open connects to the host and starts the shell.
func (r Reach) Open(ctx context.Context) (*Reached, error) {
	host, err := r.Connect(ctx)
	if err != nil {
		return nil, err
	}
	s, err := shell.Open(ctx, host, shell.Options{Settings: r.Settings})
	if err != nil {
		host.Close()
		return nil, fmt.Errorf("%v: %w", host, err)
	}
	return &Reached{Host: host, Shell: s}, nil
}

// Run runs one command, as the interface collect.Runner needs.
func (r *Reached) Run(ctx context.Context, argv []string, stdout io.Writer) (
	status int, complaints string, took time.Duration, err error) {
	result, err := r.Shell.Run(ctx, argv, stdout)
	return result.Status, result.Complaints, result.Took, err
}

// Close ends the shell and the connection.
func (r *Reached) Close() {
	r.Shell.Close()
	r.Host.Close()
}
