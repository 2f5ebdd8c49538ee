// Package object reads the objects that PBS and Torque commands print: jobs, queues, servers, vnodes,
// schedulers, resources, hooks and reservations, each with its attributes (pbs_job_attributes(7B) and the
// like). The form makes no difference to who reads them: a Record has a name, and values by attribute and
// resource.
//
// Its files:
//   - object.go: records, kinds of objects, and Read, which finds the form by the name of a file
//   - text.go: lines "name = value" below the name of an object, as of qstat -f
//   - copied.go: such lines as a mail or a page indents them
//   - dsv.go: a line for each object, as of qstat -F dsv
//   - json.go: JSON, as of qstat -F json
//   - scanner.go: the JSON that releases really print, mistakes included
//   - qmgr.go: the commands that qmgr prints
//   - xml.go: what Torque prints with -x
package object
