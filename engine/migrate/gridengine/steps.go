package gridengine

import (
	"qprism/engine/migrate"
)

// tellSteps says how to install what was written.
func (t *Translation) tellSteps() {
	t.Steps = []migrate.Step{
		{What: "Try it on a test cell first. As a manager, in this folder: read install.sh, then run it. It saves what it replaces in the folder before.", Command: "sh install.sh"},
		{What: "Tell users how they submit now, or let a JSV do it: submit.txt has a line for each option that counts.", Command: "cat submit.txt"},
		{What: "Capture a bundle when jobs wait, and see what orders them.", Command: "sh scripts/capture-ge.sh -o cluster.tar.gz && qprism lint cluster.tar.gz && qprism priorities cluster.tar.gz"},
	}
}
