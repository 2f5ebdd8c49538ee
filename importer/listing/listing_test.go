package listing

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

// put puts a table into its other form, and fails where that is no document or has other lines.
func put(t *testing.T, text string) string {
	t.Helper()
	table := Find([]byte(text), func([]byte) string { return "" })
	if table == nil {
		t.Fatalf("no table: %q", text)
	}
	out := table.Put([]byte(text))
	if got, want := bytes.Count(out, []byte{'\n'}), strings.Count(text, "\n")+1; got != want {
		t.Errorf("%d lines of %d:\n%s", got, want, out)
	}
	if strings.HasSuffix(table.Name, "json") {
		if !json.Valid(out) {
			t.Errorf("no JSON:\n%s", out)
		}
		return string(out)
	}
	d := xml.NewDecoder(bytes.NewReader(out))
	for {
		if _, err := d.Token(); err == io.EOF {
			return string(out)
		} else if err != nil {
			t.Fatalf("%v:\n%s", err, out)
		}
	}
}

// TestALineOfNoKnownFormStaysWithItsPlace: no table drops a line, and what follows is read on.
func TestALineOfNoKnownFormStaysWithItsPlace(t *testing.T) {
	for name, text := range map[string]string{
		"qstat":    shortTable + "error: a <b> & \"c\"\n",
		"qstat -f": fullTable + "error: a <b> & \"c\"\n",
		"qstat -j": "==============================================================\njob_number:   " +
			"7\nerror: a <b> & \"c\"\n",
		"qhost":       hostTable + "error: a <b> & \"c\"\n",
		"pbsnodes":    vnodeTable + "error: a <b> & \"c\"\nn9  free 0 0 0 1gb/1gb 1/1 0/0 0/0 --\n",
		"qstat (PBS)": jobTable + "error: a <b> & \"c\"\n9.s x u 0 Q q\n",
	} {
		out := put(t, text)
		lines := strings.Split(out, "\n")
		if at := strings.Count(text[:strings.Index(text, "error: a")], "\n"); !strings.Contains(lines[at], "error") ||
			!strings.Contains(lines[at], "line") && name != "qstat -j" {
			t.Errorf("%s: line %d is %q", name, at+1, lines[at])
		}
	}
}

const shortTable = `job-ID  prior   name       user         state submit/start at     queue                          slots ja-task-ID
-----------------------------------------------------------------------------------------------------------------
     12 0.50000 render one alice        r     11/16/2026 10:36:59 all.q@h1                           4
     13 nan     sweep      bob          Eqw   11/16/2026 10:37:00                                    1 4,6-8:1
`

const fullTable = `queuename                      qtype resv/used/tot. load_avg arch          states
---------------------------------------------------------------------------------
all.q@h1                       BIP   0/4/16         -NA-     lx-amd64      au
	hl:mem_total=15.617G
     12 0.50000 render     alice        r     2026-11-16 10:36:59     4
############################################################################
 - PENDING JOBS - PENDING JOBS - PENDING JOBS - PENDING JOBS - PENDING JOBS
############################################################################
     13 0.50000 sweep      bob          qw    2026-11-16 10:37:00     1 4-8:2
`

const hostTable = `HOSTNAME                ARCH         NCPU NSOC NCOR NTHR  LOAD  MEMTOT  MEMUSE  SWAPTO  SWAPUS
----------------------------------------------------------------------------------------------
global                  -               -    -    -    -     -       -       -       -       -
h1                      lx-amd64        4    1    4    4  0.60   15.6G  465.8M    1.5G     0.0
   all.q                BIP   0/4/16        au
   hl:num_proc=4.000000
`

const vnodeTable = `                                                        mem       ncpus   nmics   ngpus
vnode           state           njobs   run   susp      f/t        f/t     f/t     f/t   jobs
--------------- --------------- ------ ----- ------ ------------ ------- ------- ------- -------
n1              job-busy             2     2      0  100gb/503gb    0/32     0/0     1/4 7.s,8.s
`

const jobTable = `Job id            Name             User              Time Use S Queue
----------------  ---------------- ----------------  -------- - -----
7.server          sleep 10         alice             00:00:17 R workq
8[].server        array            bob                      0 B workq
`

// TestATableSaysWhatItsProgramFormSays: values are under the names of that form.
func TestATableSaysWhatItsProgramFormSays(t *testing.T) {
	for text, want := range map[string][]string{
		shortTable: {"<JB_name>render one</JB_name>", "<queue_name>all.q@h1</queue_name>",
			"<tasks>4,6-8:1</tasks>", "<JAT_prio>nan</JAT_prio>"},
		fullTable: {"<slots_total>16</slots_total><arch>lx-amd64</arch><state>au</state>",
			`<resource name="mem_total" type="hl">15.617G</resource>`,
			"<JAT_start_time>2026-11-16 10:36:59</JAT_start_time>",
			"<JB_submission_time>2026-11-16 10:37:00</JB_submission_time>"},
		hostTable: {`<hostvalue name="mem_used">465.8M</hostvalue>`,
			`<queuevalue name="slots">16</queuevalue><queuevalue name="state_string">au</queuevalue>`},
		vnodeTable: {`"resources_available":{"ncpus":"32","ngpus":"4","mem":"527433728kb"}`,
			`"resources_assigned":{"ncpus":"32","ngpus":"3","mem":"422576128kb"}`, `"jobs":"7.s,8.s"`},
		jobTable: {`"7":{"Job_Name":"sleep 10","Job_Owner":"alice"`, `"resources_used":{"cput":"00:00:17"}`,
			`"array":"True"`},
	} {
		out := put(t, text)
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("%q is missing in\n%s", w, out)
			}
		}
	}
}

// TestFurtherLinesBelongToTheirJob: qstat -r lists what a job asked for below it.
func TestFurtherLinesBelongToTheirJob(t *testing.T) {
	out := put(t, shortTable+`       Full jobname:     sweep-of-everything
       Requested PE:     smp 2-4
       Hard Resources:   h_rt=3600 (0.000000)
                         gpu=1 (10.000000)
       Soft Resources:
       Hard requested queues: all.q, long.q
       Predecessor Jobs: 3, 4
`)
	for _, want := range []string{"<full_job_name>sweep-of-everything</full_job_name>",
		`<requested_pe name="smp">2-4</requested_pe>`,
		`<hard_request name="gpu" resource_contribution="10.000000">1</hard_request>`,
		"<hard_req_queue>long.q</hard_req_queue>",
		"<predecessor_jobs>4</predecessor_jobs>\n</job_list>"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
}

// TestTicketsOfExtAreRead: a row of qstat -ext has no date, and usage only while a task runs.
func TestTicketsOfExtAreRead(t *testing.T) {
	out := put(t, `job-ID  prior   ntckts  name       user         project          department state cpu        mem     io      tckts ovrts otckt ftckt stckt share queue slots ja-task-ID
      3 0.50500 0.50000 sleep      root         NA               defaultdep r     0:00:00:01 0.01    0.00        7     0     0     7     0 0.25  all.q@h1 1 7
      4 0.50500 0.50000 sleep      root         NA               defaultdep qw                               9     0     0     9     0 0.75           1
`)
	for _, want := range []string{"<tasks>7</tasks>", "<ftickets>7</ftickets>",
		"<queue_name>all.q@h1</queue_name>", "<tickets>9</tickets>",
		`<JAT_share>0.75</JAT_share><slots>1</slots>`} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	if strings.Contains(out, "<line>") || strings.Contains(out, "JB_project") {
		t.Error(out)
	}
}

// TestDetailsOfAJobAreRead: qstat -j in words, of several releases.
func TestDetailsOfAJobAreRead(t *testing.T) {
	out := put(t, `==============================================================
job_number:                 7
submission_time:            Wed Apr 11 09:36:41 2012
owner:                      alice
sge_o_path:                 /opt/sge/bin:/usr/bin
hard resource_list:         h_rt=3600,s_vmem=5120M
priority:                   -5
parallel environment:  smp range: 2-8:2,10
job-array tasks:   i         1-9:2
hard_queue_list:            huge,long
usage    1:                 cpu=00:01:00, mem=0.03044 GBs
`)
	for _, want := range []string{"<JB_submission_time>2012-04-11 09:36:41.000000</JB_submission_time>",
		"<CE_name>s_vmem</CE_name><CE_stringval>5120M</CE_stringval>",
		"<JB_priority>1019</JB_priority>",
		"<JB_pe>smp</JB_pe><JB_pe_range><ranges><RN_min>2</RN_min><RN_max>8</RN_max><RN_step>2</RN_step></ranges>",
		"<JB_ja_structure><ranges><RN_min>1</RN_min><RN_max>9</RN_max>", "<QR_name>long</QR_name>",
		"<UA_name>cpu</UA_name><UA_value>60</UA_value>", "<UA_name>mem</UA_name><UA_value>0.03044</UA_value>"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
}

// TestACopyKnowsItsCommand: a listing copied from a terminal has the command above it. A comment about a
// command is no such line.
func TestACopyKnowsItsCommand(t *testing.T) {
	name := func(head []byte) string {
		if bytes.HasPrefix(head, []byte("n1\n")) {
			return "pbsnodes_av.txt"
		}
		return ""
	}
	for text, want := range map[string]string{
		"[me@h ~]$ pbsnodes -a\nn1\n  state = free\n":                   "\nn1\n  state = free\n",
		"# of a new node\n$ /opt/pbs/bin/pbsnodes -a\nn1\n state = x\n": "\n\nn1\n state = x\n",
	} {
		table := Find([]byte(text), name)
		if table == nil || table.Name != "pbsnodes_av.txt" || string(table.Put([]byte(text))) != want {
			t.Errorf("%q: %v", text, table)
		}
	}
	table := Find([]byte("set server a = b\n$ qstat\nn1\n"), name)
	if table == nil || len(table.Left) != 1 || table.Left[0] != (Line{1, "set server a = b"}) {
		t.Errorf("what stands above the command is not said: %+v", table)
	}
	if out := put(t, "$ qhost\n"+hostTable); !strings.Contains(strings.Split(out, "\n")[4], `<host name="h1">`) {
		t.Errorf("the lines moved:\n%s", out)
	}
}
