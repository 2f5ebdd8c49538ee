package accounting

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/clock"
)

// Ended are the jobs and subjobs that ended, from accounting records.
func Ended(records []model.AccountingRecord) (list []model.EndedTask) {
	for i := range records {
		r := &records[i]
		id, _ := model.ParsePBSID(r.ID) // a job whose number is too great has ended as well
		if r.Type != "E" || id.Array && !id.Subjob {
			continue
		}
		t := model.EndedTask{Name: r.Value("jobname"), Owner: r.Value("user"), Group: r.Value("group"),
			Project: r.Value("project"), Account: r.Value("account"),
			Queue: r.Value("queue"), Submitted: model.PBSTime(r.Value("ctime")), Started: model.PBSTime(r.Value("start")),
			Ended: model.PBSTime(r.Value("end"))}
		t.Job, t.Task, t.Array = id.Number, 1, id.Array
		if id.Subjob {
			t.Task = id.Index
		}
		t.ExitStatus, _ = strconv.Atoi(r.Value("Exit_status"))
		t.Slots = processors(r)
		t.MaxVMem = memory(r)
		t.CPU = length(r.Value("resources_used.cput")).Seconds()
		t.Wallclock = length(r.Value("resources_used.walltime"))
		if r.Value("resources_used.walltime") == "" && !t.Started.IsZero() {
			t.Wallclock = t.Ended.Sub(t.Started)
		}
		if asked := length(r.Value("Resource_List.walltime")); asked > 0 {
			t.Category = fmt.Sprintf("-l h_rt=%.0f", asked.Seconds())
		}
		list = append(list, t)
	}
	return list
}

// memory is what a job used of it at most, in bytes: 0 where the record does not tell.
func memory(r *model.AccountingRecord) float64 {
	const perUnit = 1024 // amounts of memory are in kilobytes
	for _, key := range []string{"resources_used.mem", "resources_used.vmem"} {
		if amount, ok := model.PBSAmount(r.Value(key)); ok && amount > 0 {
			return amount * perUnit
		}
	}
	return 0
}

// length is a time such as 01:30:00 or 5400, 0 for none and for one that is none.
func length(text string) time.Duration {
	if amount, ok := model.PBSAmount(text); ok && amount > 0 && amount < float64(clock.FiveYears) {
		return time.Duration(amount) * time.Second
	}
	return 0
}

// processors are those that a job had. PBS says so in Resource_List.ncpus. Torque, whose records have no
// exec_vnode, says it by places: each entry of exec_host is one or a range of them; where a job has none,
// by what it asked for, nodes=4:ppn=8.
func processors(r *model.AccountingRecord) int {
	asked := wholeNumber(r.Value("Resource_List.ncpus"))
	if r.Value("exec_vnode") != "" {
		return asked
	}
	for _, n := range []int{wholeNumber(r.Value("total_execution_slots")), placesOf(r.Value("exec_host")),
		nodesOf(r.Value("Resource_List.nodes"))} {
		if n > 0 {
			return max(n, asked)
		}
	}
	return asked
}

func wholeNumber(text string) int {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0
	}
	return int(n)
}

// placesOf counts the processors of an exec_host: "n/2+n/3" are 2, "node0703/0-27" 28, "n/0,4-7" 5, "n/0*4" 4.
func placesOf(execHost string) (sum int) {
	for entry := range strings.FieldsFuncSeq(execHost, func(r rune) bool { return r == '+' }) {
		_, places, ok := strings.Cut(entry, "/")
		if !ok {
			return 0
		}
		index, times, isProduct := strings.Cut(places, "*")
		if isProduct {
			sum = bounded(sum, wholeNumber(times))
			continue
		}
		for span := range strings.SplitSeq(index, ",") {
			first, last, isSpan := strings.Cut(span, "-")
			n := 1
			if isSpan {
				n = wholeNumber(last) - wholeNumber(first) + 1
			}
			sum = bounded(sum, max(n, 0))
		}
	}
	return sum
}

// nodesOf counts the processors of a request for nodes: "4:ppn=8" are 32, "2:ppn=4+n7:ppn=2:fast" 10.
func nodesOf(request string) (sum int) {
	for part := range strings.FieldsFuncSeq(request, func(r rune) bool { return r == '+' }) {
		words := strings.Split(part, ":")
		nodes, each := 1, 1
		if n := wholeNumber(words[0]); n > 0 {
			nodes = n
		}
		for _, word := range words[1:] {
			if text, is := strings.CutPrefix(word, "ppn="); is {
				each = max(wholeNumber(text), 1)
			}
		}
		sum = bounded(sum, nodes*min(each, math.MaxInt32))
	}
	return sum
}

// bounded is a sum of what a stranger wrote.
func bounded(sum, more int) int { return min(sum+min(more, math.MaxInt32), math.MaxInt32) }
