package diff

import (
	"strconv"
	"strings"
)

// taskOf reads the id of a PBS job: "12.server", or "12[3].server" for a subjob. An array as a whole is no task.
func taskOf(id string) (Task, bool) {
	name, _, _ := strings.Cut(id, ".")
	number, index, array := strings.Cut(name, "[")
	job, err := strconv.ParseUint(number, 10, 32)
	if err != nil || !array {
		return Task{uint32(job), 1}, err == nil
	}
	sub, err := strconv.ParseUint(strings.TrimSuffix(index, "]"), 10, 32)
	return Task{uint32(job), uint32(sub)}, err == nil
}
