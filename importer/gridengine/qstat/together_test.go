package qstat_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"qprism/importer/gridengine"
	"qprism/importer/gridengine/expect"
	"qprism/importer/gridengine/sample"
)

// TestJobsAreReadTogetherAsAlone reads random jobs in one listing, and each in a listing of its own. A reader remembers
// bytes of earlier jobs. Alone, it has nothing to remember.
func TestJobsAreReadTogetherAsAlone(t *testing.T) {
	row := []string{"<JAT_prio>0.5</JAT_prio>", "<JB_name>a&amp;b</JB_name>", "<JB_owner>al</JB_owner>", "<JB_owner></JB_owner>",
		`<hard_request name="h_rt" resource_contribution="0.0">60</hard_request>`,
		`<hard_request name="mem" resource_contribution="5.0">1G</hard_request>`,
		`<hard_request name="mem" resource_contribution="6.0">2G</hard_request>`, `<hard_request name="a&lt;b">1</hard_request>`,
		`<requested_pe name="mpi">2-4</requested_pe>`, "<binding>NONE</binding>", "<binding/>", "<tickets>7</tickets>",
		"<JB_new>1</JB_new>", "<!-- note -->", "<full_job_name>long</full_job_name>"}
	requests := func(value string) string {
		return "<JB_hard_resource_list><qstat_l_requests><CE_name>mem</CE_name><CE_valtype>4</CE_valtype><CE_stringval>" + value +
			"</CE_stringval></qstat_l_requests></JB_hard_resource_list>"
	}
	ranges := func(name string, last int) string {
		return fmt.Sprintf("<%s><range><RN_min>1</RN_min><RN_max>%d</RN_max><RN_step>1</RN_step></range></%s>", name, last, name)
	}
	detail := []string{"<JB_owner>al</JB_owner>", "<JB_group>g</JB_group>", requests("1G"), requests("2G"), requests(""),
		"<JB_hard_resource_list/>", ranges("JB_ja_structure", 1), ranges("JB_ja_structure", 9), ranges("JB_pe_range", 4),
		"<JB_pe>mpi</JB_pe>", "<JB_cwd>/a</JB_cwd>", "<JB_cwd>/b</JB_cwd>", "<JB_new><x>1</x></JB_new>", "<JB_priority>1000</JB_priority>",
		"<JB_ja_tasks><element><JAT_task_number>1</JAT_task_number><JAT_status>128</JAT_status></element></JB_ja_tasks>"}
	for seed := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, 1))
		some := func(parts []string) (elements string) {
			for _, part := range parts {
				if random.IntN(3) > 0 {
					elements += part
				}
			}
			return elements
		}
		var rows, details, want []string
		unknown := 0
		for n := range 12 {
			rows = append(rows, strings.Replace(sample.Job(some(row)), ">1<", fmt.Sprintf(">%d<", n+1), 1))
			details = append(details, sample.JobInQstatJ(n+1, some(detail)))
			jobs, count := shownJobs(t, rows[n:], details[n:])
			want, unknown = append(want, jobs...), unknown+count
		}
		got, count := shownJobs(t, rows, details)
		expect.Same(t, fmt.Sprintf("seed %d", seed), strings.Join(got, "\n"), strings.Join(want, "\n"))
		expect.Same(t, fmt.Sprintf("unknown elements, seed %d", seed), count, unknown)
	}
}

// shownJobs reads jobs of both listings, and counts the elements that no reader knows.
func shownJobs(t *testing.T, rows, details []string) (jobs []string, unknown int) {
	t.Helper()
	files := map[string]string{"qstat.xml": sample.Qstat(rows...), "qstat-j.xml": sample.QstatJ(details...)}
	s, err := gridengine.Read(expect.Bundle(files), gridengine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range s.Jobs {
		text := fmt.Sprintf("%+v", j.Reported)
		j.Reported = nil
		for i := range j.Tasks {
			text += fmt.Sprintf("%+v", j.Tasks[i].Reported)
			j.Tasks[i].Reported = nil
		}
		jobs = append(jobs, fmt.Sprintf("%+v %s", j, text))
	}
	for _, u := range s.Unknown {
		unknown += u.Count
	}
	return jobs, unknown
}
