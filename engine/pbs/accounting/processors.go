package accounting

import (
	"math"
	"strconv"
	"strings"

	"qprism/engine/model"
)

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
