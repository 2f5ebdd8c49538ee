package doctor

// What init says, and the file that it writes.

const initLong = `init looks at a cluster and writes the configuration of serve for it, with comments. It tries every step
as doctor does, says what the account may do there, and how to limit its SSH key with qprism-gate.

On a terminal it asks a few questions; Enter takes the default. Elsewhere it takes all defaults. It
writes nothing if the cluster does not answer. It replaces no file without --force, except the one that
a package installed; the old file stays as FILE.old. It changes nothing on the cluster.

The file is /etc/qprism/qprism.yaml for root, else ~/.config/qprism/qprism.yaml.`

const initExample = `  qprism init                                    this host's cluster
  qprism init --from sge@master                  a cluster that SSH reaches
  qprism init --print >qprism.yaml               only the file, without a question`

// Questions, each with its default in brackets.
const (
	AskName    = "Name of the cluster in the configuration"
	askMinutes = "Minutes between two captures"
	askPage    = "Show the page on 127.0.0.1:8765 (yes, no)"
)

// Answers that are refused.
const (
	BadName    = "Use letters, digits, dash, dot and underscore."
	BadMinutes = "Give a number from 1 to 60."
	BadPage    = "Answer yes or no."
)

const (
	lookingAt   = "Looking at the cluster of %s. Nothing there changes.\n"
	wroteFile   = "Wrote %s: capture and audit every %s minutes, nothing changes the cluster.\n"
	rightsTitle = "What this account may do"
	gateTitle   = "Limit the SSH key"
	gateText    = "Copy qprism-gate to the host that runs the commands. Put this line into " +
		"authorized_keys there, and no other line with this key:"
	gateLocal = "This cluster needs no SSH key. To reach it from another host, put this line into " +
		"authorized_keys here:"
	noKey         = "There is no key yet. Make one, then put it in place of AAAA...:"
	hasRights     = "yes"
	lacksRights   = "no: %s"
	unknownRights = "not known: %s"
	anyAccount    = "any account that may run qstat"
	operator      = "operator or manager of the cluster"
	pbsOperator   = "operator or manager of the PBS server"
)

// rightRows are what commands need: reading, or the rights of an operator.
var rightRows = []struct {
	commands string
	changes  bool
}{
	{"capture, audit, priorities, why, forecast, view, serve", false},
	{"push, drive", true},
}

const (
	nextService = "systemctl enable --now qprism"
	nextServe   = "qprism serve --config %s"
	nextWhy     = "qprism why %s --from %s"
	nextPlan    = "qprism priorities --from %s"
	allTheTime  = "Later: qprism serve --config %s captures and audits all the time; its page is http://127.0.0.1:8765."
	afterwards  = "Then: http://127.0.0.1:8765 is the page; qprism why JOB says why a job waits."
)

const initFile = `# qprism serve for {{.Cluster}}, written by qprism init.
# Check it: qprism serve --config FILE --check. Try it: qprism doctor --config FILE. All keys: man 5 qprism.yaml.

store:
  file: {{.Store}}
  prune: 30 4 * * *             # when older snapshots are deleted
  keep: 60d

reports: {{.Reports}}
health: 127.0.0.1:8470          # http://127.0.0.1:8470/health
{{if .Page}}listen: 127.0.0.1:8765          # the page, and /metrics for Prometheus
{{else}}# listen: 127.0.0.1:8765        # the page, and /metrics for Prometheus
{{end}}
# alerts:                       # who is told of problems
#   mail: hpc@example.org
#   of: [unexplained, order, never, waits, capture, push]

clusters:
  {{.Name}}:
{{- if .From}}
    from: {{.From}}
{{- end}}
{{- if .Settings}}
    settings: {{.Settings}}
{{- end}}
{{- if .SSHConfig}}
    ssh_config: {{.SSHConfig}}
{{- end}}
    capture: "*/{{.Minutes}} * * * *"
    audit: "*/{{.Minutes}} * * * *"
    diff: 5 0 * * *             # expected order against starts, once a day
    # The next lines change the cluster. They need an operator of it.
    # allow: push
    # push: {at: "*/5 * * * *", policy: fairshare}
`
