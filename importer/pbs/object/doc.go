// Package object reads the objects that PBS and Torque commands print: jobs, queues, servers, vnodes,
// schedulers, resources, hooks and reservations, with their attributes (pbs_job_attributes(7B) and similar
// pages). All forms give the same Record: a name, and values by attribute and resource.
//
// Its files:
//   - object.go: records, kinds of objects, and Read, which knows the form by the file's name
//   - text.go: lines "name = value" below an object's name, as in qstat -f
//   - copied.go: such lines with the indentation of a mail or page
//   - dsv.go: a line for each object, as in qstat -F dsv
//   - json.go: JSON, as in qstat -F json
//   - scanner.go: JSON as releases really print it, with mistakes
//   - qmgr.go: commands that qmgr prints
//   - xml.go: XML of Torque (-x)
package object
