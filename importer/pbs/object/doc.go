// Package object parses the output of PBS and Torque commands. The output describes jobs, queues, servers,
// vnodes, schedulers, resources, hooks and reservations. Each of these objects has attributes, see
// pbs_job_attributes(7B) and similar pages. The package translates every output format to the same type,
// Record. A Record has the name of an object, and the value of each attribute. An attribute such as
// Resource_List has one value for each resource.
//
// Its files:
//   - object.go: records, kinds of objects; Read recognizes the format by the file's name
//   - text.go: lines "name = value" below an object's name, as in qstat -f
//   - copied.go: such lines with the indentation of a mail or web page
//   - dsv.go: a line for each object, as in qstat -F dsv
//   - json.go: JSON, as in qstat -F json
//   - scanner.go: JSON with the mistakes that some releases print
//   - qmgr.go: commands that qmgr prints
//   - xml.go: XML of Torque (-x)
package object
