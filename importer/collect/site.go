package collect

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"path"
	"strings"

	"qprism/engine/model"
)

// A Site is the identity of a cluster. The capture finds it before any other command.
type Site struct {
	model.Identity
	Release string // as the cluster prints it
	Spool   string // spool directory of Grid Engine's master
	Home    string // PBS_HOME on the host that runs the commands

	version answer // output of qstat --version, only for PBS
}

// Identify finds the identity of a cluster. Most facts are in files of the host that runs the commands, so the
// master has no load. If a fact cannot be read, it stays unknown; this is no error.
func Identify(ctx context.Context, r Runner) (*Site, error) {
	q := &questions{ctx: ctx, runner: r}
	s := &Site{}
	if err := q.release(s); err != nil {
		return nil, err
	}
	if s.System == model.GridEngine {
		q.gridEngine(s)
	} else {
		q.pbs(s)
	}
	return s, q.err
}

// questions runs commands one after the other. After an error it runs no more.
type questions struct {
	ctx    context.Context
	runner Runner
	err    error
}

// ask runs a command.
func (q *questions) ask(argv ...string) (a answer) {
	if q.err != nil {
		return a
	}
	var b bytes.Buffer
	a.status, a.complaints, a.took, q.err = q.runner.Run(q.ctx, argv, &limited{w: &b, left: mostAnswer})
	a.out = b.String()
	return a
}

// line returns the first line that a command prints. It is empty if the command fails.
func (q *questions) line(argv ...string) string {
	if a := q.ask(argv...); a.status == 0 {
		return firstLine(a.out)
	}
	return ""
}

// release finds the batch system. qstat -help of Grid Engine begins with product and version.
func (q *questions) release(s *Site) error {
	help := q.ask("qstat", "-help")
	switch line := firstLine(help.out); {
	case q.err != nil:
		return q.err
	case help.status == 127:
		return errors.New(
			`there is no qstat; name the file that sets PATH with --settings, such as /opt/sge/default/common/settings.sh`)
	case isRelease(line):
		s.System, s.Release = model.GridEngine, line
		return nil
	}
	s.version = q.ask("qstat", "--version")
	s.System, s.Release = model.PBSSystem, firstLine(s.version.out+s.version.complaints)
	if strings.HasPrefix(strings.ToLower(s.Release), "version:") {
		s.System = model.Torque
	}
	return q.err
}

// debianRoot is where Debian's commands look for Grid Engine by default.
const debianRoot = "/var/lib/gridengine"

// gridEngine reads the facts of a cell. It finds the master as Grid Engine's commands do: by the environment,
// and by act_qmaster.
func (q *questions) gridEngine(s *Site) {
	s.Root = cmp.Or(q.line("printenv", "SGE_ROOT"), debianRoot)
	s.Cell = cmp.Or(q.line("printenv", "SGE_CELL"), "default")
	if s.Port = q.line("printenv", "SGE_QMASTER_PORT"); s.Port == "" {
		s.Port = servicePort(q.line("getent", "services", "sge_qmaster"))
	}
	common := path.Join(s.Root, s.Cell, "common")
	s.Host = q.line("cat", path.Join(common, "act_qmaster"))
	bootstrap := path.Join(common, "bootstrap")
	if a := q.ask("cat", bootstrap); a.status == 0 {
		s.Spool = setting(a.out, "qmaster_spool_dir")
		q.installation(s, bootstrap)
	}
	q.machine(s)
	if s.Spool != "" {
		_ = s.Set("sequence", q.line("cat", path.Join(s.Spool, "jobseqnum"))) // readable only on the master's host
	}
}

// installation computes a checksum of a file that only the installation writes.
func (q *questions) installation(s *Site, file string) {
	s.Config = sumOf(q.line("cksum", file))
	s.Made = q.line("stat", "-c", "%Y", file)
}

// machine computes a checksum of facts that distinguish machines, if the commands run on the master's own host.
func (q *questions) machine(s *Site) bool {
	if !sameHost(q.line("uname", "-n"), s.Host) {
		return false
	}
	s.Machine = sumOf(q.line("cksum", "/etc/machine-id"))
	return true
}

// pbs reads the facts of a server from pbs.conf(8) or the environment. On another host these facts belong to
// the client, so it asks the server.
func (q *questions) pbs(s *Site) {
	conf := q.ask("cat", pbsConf)
	value := func(name string) string {
		return cmp.Or(q.line("printenv", name), assignment(conf.out, name))
	}
	s.Host = value("PBS_SERVER")
	s.Port = value("PBS_BATCH_SERVICE_PORT")
	if s.Host == "" {
		s.Host = q.line("uname", "-n")
	}
	s.Home = cmp.Or(value("PBS_HOME"), map[bool]string{false: "/var/spool/pbs",
		true: "/var/spool/torque"}[s.System == model.Torque])
	if s.Root = s.Home; q.machine(s) {
		q.installation(s, pbsConf)
		return
	}
	s.Root = ""
	if private := Attribute(q.ask("qmgr", "-c", "list sched default sched_priv").out,
		"sched_priv"); strings.HasSuffix(private,
		"/sched_priv") {
		s.Root = path.Dir(private)
	}
	s.Host = cmp.Or(Attribute(q.ask("qmgr", "-c", "list server server_host").out, "server_host"), s.Host)
}

// sameHost reports whether two names belong to one host. Domain and case may differ.
func sameHost(a, b string) bool {
	a, _, _ = strings.Cut(a, ".")
	b, _, _ = strings.Cut(b, ".")
	return a != "" && strings.EqualFold(a, b)
}

// servicePort returns the port in a line of services(5), "sge_qmaster 6444/tcp".
func servicePort(line string) string {
	if f := strings.Fields(line); len(f) > 1 {
		port, _, _ := strings.Cut(f[1], "/")
		return port
	}
	return ""
}

// sumOf returns the output of cksum(1) without the file name: checksum and length.
func sumOf(line string) string {
	if f := strings.Fields(line); len(f) > 1 {
		return f[0] + " " + f[1]
	}
	return ""
}

// lines returns the MANIFEST lines that identify the cluster.
func (s *Site) lines() string {
	known := s.Identity
	known.Given, known.Via = "", "" // only the importing program knows these
	var b strings.Builder
	for line := range strings.Lines(known.Text()) {
		b.WriteString("identity " + line)
	}
	return b.String()
}
