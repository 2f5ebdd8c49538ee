// Package object reads the objects that PBS and Torque commands print, with their attributes
// (pbs_job_attributes(7B) and similar pages). The objects are jobs, queues, servers, vnodes, schedulers,
// resources, hooks and reservations. The package translates each output format to the same type, Record: a
// name, and values by attribute and resource.
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
