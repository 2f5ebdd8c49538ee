package importer

import "regexp"

// unread are listings that sites have beside those that are read, by how they begin, and what is read in their place.
var unread = []struct {
	form *regexp.Regexp
	is   string
}{
	{regexp.MustCompile(`(?i)^active jobs-{5,}`), "showq of Maui or Moab is not read; qstat -f and pbsnodes -a are"},
	{regexp.MustCompile(`^(?:checking )?job \S+[^\n]*\n(?:[ \t\r]*\n|[^\n]*(?:AName|RM settings)[^\n]*\n)*State: `),
		"checkjob of Maui or Moab is not read; qstat -f is"},
	{regexp.MustCompile(`^Job: \S+[ \t\r]*\n\s*\d\d/\d\d/\d{4} \d\d:\d\d:\d\d(?:\.\d+)?\s+[A-Z]\s`),
		"tracejob is not read; the files that it searches are (server_priv/accounting, sched_logs)"},
	{regexp.MustCompile(`^(?:[^\n]*[$%>❯»#]\s*(?:/\S*/)?pbsnodes -l[^\n]*\n)?(?:[\w.-]+ +(?:down|offline|state-unknown|unknown|stale|free|job-exclusive|busy)(?:,[\w-]+)*(?:[ \t][^\n]*)?(?:\n|$))+$`),
		"pbsnodes -l lists some vnodes only; pbsnodes -av is read"},
	{regexp.MustCompile(`^resource quota rule\s+limit\s+filter`), quota},
	{regexp.MustCompile(`^\s*\{[^{}\[\]]*/ocs-qconf-[\w-]*\.schema\.json"`), "qconf as JSON is not read; its text is (without -fmt json)"},
	{regexp.MustCompile(`^\s*\{[^{}\[\]]*/ocs-qquota-[\w-]*\.schema\.json"`), quota},
	{regexp.MustCompile(`^\s*\{[^{}\[\]]*/ocs-[\w-]*\.schema\.json"`),
		"this JSON of Open Cluster Scheduler is not read; the command's text or XML may be"},
	{regexp.MustCompile(`^\s*JOBID\s+PARTITION\s+NAME\s|^JobID(?:Raw)?\s*[| ]|^JobId=\d+ `),
		"listings of Slurm are not read; migrate writes files for it"},
}

const quota = "qquota is not read; the rules are (qconf -srqs), and what the jobs take of them"

// Unread says of a file that begins like this what it is, if it is a listing that nothing here reads; empty for others.
func Unread(head []byte) string {
	text := trimmed(head)
	for _, u := range unread {
		if u.form.Match(text) {
			return u.is
		}
	}
	return ""
}
