// Package sample makes listings for tests, and reads bundles with these listings. The tests of the packages
// gridengine, qstat and records use package sample.
package sample

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/gridengine"
	"qprism/importer/gridengine/expect"
)

// Open returns a recorded bundle and its snapshot.
func Open(t *testing.T, path string) (fs.FS, *model.Snapshot) {
	t.Helper()
	bundle, closer, err := importer.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closer.Close() })
	snap, err := gridengine.Read(bundle, gridengine.Options{})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return bundle, snap
}

// Text returns the text of one file of a recorded bundle.
func Text(t *testing.T, path, name string) string {
	t.Helper()
	bundle, closer, err := importer.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	text, err := fs.ReadFile(bundle, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Read returns the snapshot of a bundle. The test fails if a part of the bundle cannot be read.
func Read(t *testing.T, bundle fs.FS) *model.Snapshot {
	t.Helper()
	snap, err := gridengine.Read(bundle, gridengine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

// OnlyQstat returns the snapshot of a bundle that has only a qstat.xml with these rows.
func OnlyQstat(t *testing.T, rows ...string) *model.Snapshot {
	t.Helper()
	return Read(t, expect.Bundle(map[string]string{"qstat.xml": Qstat(rows...)}))
}

// Qstat makes a qstat.xml with these rows.
func Qstat(rows ...string) string {
	return "<?xml version='1.0'?>\n<job_info  xmlns:xsd=\"http://arc.liv.ac.uk/qstat.xsd\">\n  " +
		"<queue_info>\n  </queue_info>\n  <job_info>\n" +
		strings.Join(rows, "") + "  </job_info>\n</job_info>\n"
}

// Job makes a row of job 1 with these elements.
func Job(elements string) string {
	return "<job_list state=\"pending\">\n<JB_job_number>1</JB_job_number>\n<state>qw</state>\n<slots>1</slots>\n" + elements + "</job_list>\n"
}

// Task makes a row for one task of job 1.
func Task(state string, task int, more string) string {
	return fmt.Sprintf(
		"<job_list state=\"pending\"><JB_job_number>1</JB_job_number><JAT_prio>0.50000</JAT_prio><state>%s</state>"+
			"<slots>1</slots><tasks>%d</tasks>%s</job_list>\n", state, task, more)
}

// Recording returns the snapshot of a recorded bundle.
func Recording(t *testing.T, path string) *model.Snapshot {
	t.Helper()
	_, snap := Open(t, path)
	return snap
}

// QstatJ makes a qstat-j.xml with these jobs.
func QstatJ(jobs ...string) string {
	return "<?xml version='1.0'?>\n<detailed_job_info  xmlns:xsd=\"x\">\n  <djob_info>\n" +
		strings.Join(jobs, "") + "  </djob_info>\n  <messages>\n  </messages>\n</detailed_job_info>\n"
}

// JobInQstatJ makes a job of qstat-j.xml with these elements.
func JobInQstatJ(number int, elements string) string {
	return fmt.Sprintf("<element>\n<JB_job_number>%d</JB_job_number>\n%s</element>\n", number, elements)
}

// With returns the snapshot of an empty qstat.xml and these files.
func With(t *testing.T, files map[string]string) *model.Snapshot {
	t.Helper()
	files["qstat.xml"] = Qstat()
	return Read(t, expect.Bundle(files))
}

// Ended makes an accounting record of 8.1.9: qname, hostname, group, owner, job_name, job_number, account,
// priority, three times, failed, exit_status, ru_wallclock, 17 other fields of getrusage(2), project,
// department, PE, slots, task_number, cpu, mem, io. The text behind follows, from the category on.
func Ended(job, task int, behind string) string {
	return fmt.Sprintf(
		"all.q:node01:staff:ann:sim:%d:sge:10:1508964690:1508964700:1508964719:0:3:19:16.58:0.28:45624:0:0:0:0:30791:0:0:0:0:0:0:0:"+
			"5255:3537:p1:dev:mpi:4:%d:16.5:0.25:0.125%s", job, task, behind)
}

// QueueList is a qstat-f.xml with one queue instance.
const QueueList = `<?xml version='1.0'?>
<job_info  xmlns:xsd="x">
  <queue_info>
    <Queue-List>
      <name>all.q@Node01</name>
      <qtype>BIP</qtype>
      <slots_used>1</slots_used>
      <slots_resv>2</slots_resv>
      <slots_total>8</slots_total>
      <load_avg>1.06006</load_avg>
      <arch>lx-amd64</arch>
      <state>au</state>
      <resource name="arch" type="hl">lx-amd64</resource>
      <resource name="slots" type="qc">7</resource>
    </Queue-List>
  </queue_info>
  <job_info>
    <job_list state="pending"><JB_job_number>1</JB_job_number></job_list>
  </job_info>
</job_info>
`

// QhostList is a qhost.xml.
const QhostList = `<?xml version='1.0'?>
<qhost xmlns:xsd="x">
 <host name='global'>
   <hostvalue name='num_proc'>-</hostvalue>
   <resourcevalue name='license' dominance='gc'>4.000000</resourcevalue>
 </host>
 <host name='node01'>
   <hostvalue name='num_proc'>8</hostvalue>
   <hostvalue name='load_avg'>-</hostvalue>
 <queue name='all.q'>
   <queuevalue qname='all.q' name='qtype_string'>BI</queuevalue>
   <queuevalue qname='all.q' name='slots_used'>2</queuevalue>
   <queuevalue qname='all.q' name='slots'>9</queuevalue>
   <queuevalue qname='all.q' name='slots_resv'>0</queuevalue>
   <queuevalue qname='all.q' name='state_string'>d</queuevalue>
   <queuevalue qname='all.q' name='new'>x</queuevalue>
 </queue>
 <job name='1'>
   <jobvalue jobid='1' name='priority'>'0.155762'</jobvalue>
 </job>
 </host>
</qhost>
`
