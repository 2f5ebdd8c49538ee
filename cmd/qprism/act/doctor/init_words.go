package doctor

import _ "embed"

// What init says, and the file that it writes.

// Questions. Each has its default in brackets.
const (
	AskName    = "Name of the cluster in the configuration"
	askMinutes = "Minutes between two captures"
	askPage    = "Show the page on 127.0.0.1:8765 (yes, no)"
)

// Replies to answers that init does not accept.
const (
	BadName    = "Use letters, digits, dash, dot and underscore."
	BadMinutes = "Give a number from 1 to 60."
	BadPage    = "Answer yes or no."
)

const (
	lookingAt     = "Looking at the cluster of %s. Nothing is changed there.\n"
	cannotWriteTo = "cannot write %s: %w; choose another file: qprism init --output qprism.yaml"
	wroteFile     = "Wrote %s: qprism captures and audits every %s minutes. It does not change the cluster.\n"
	rightsTitle   = "What this account may do"
	gateTitle     = "Limit the SSH key"
	gateText      = "Copy qprism-gate to the host that runs the commands. Put this line into " +
		"authorized_keys there, and no other line with this key:"
	gateLocal = "This host needs no SSH key. To let another host look at this cluster, make a key there, and put " +
		"this line into authorized_keys here:"
	noKey         = "There is no key yet. Make one, then put it in place of AAAA...:"
	hasRights     = "yes"
	lacksRights   = "no: %s"
	unknownRights = "not known: %s"
	anyAccount    = "any account that may run qstat"
	operator      = "operator or manager of the cluster"
	pbsOperator   = "operator or manager of the PBS server"
)

// rightRows are the rights that commands need: to read, or the rights of an operator.
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
	startServe  = "start to capture and audit regularly"
	seeWhy      = "see why job %s waits"
	seePlan     = "list the jobs by priority"
	openPage    = "Then: open the page, http://127.0.0.1:8765"
)

// initFile is the template of a configuration.
//
//go:embed qprism.yaml.tmpl
var initFile string
