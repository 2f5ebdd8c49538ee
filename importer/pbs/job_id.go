package pbs

import (
	"errors"
	"strconv"
	"strings"
)

// A jobID has the parts of an id: "12.server", "12[].server" of an array, "12[3].server" of a subjob.
type jobID struct {
	number        uint32
	array, subjob bool
	index         uint32
	parent        string // the array's id, for a subjob
}

var errID = errors.New("no job id")

func parseID(text string) (id jobID, err error) {
	digits := digitsOf(text)
	n, err := strconv.ParseUint(text[:digits], 10, 32)
	if err != nil {
		return id, errID
	}
	id.number = uint32(n)
	rest := text[digits:]
	if strings.HasPrefix(rest, "-") { // Torque, before arrays had brackets
		rest = "[" + strings.Replace(rest[1:]+".", ".", "].", 1)
	}
	switch {
	case rest == "" || rest[0] == '.':
		return id, nil
	case rest[0] != '[':
		return id, errID
	}
	return id.inArray(text[:digits], rest[1:])
}

// inArray reads the rest of the id of an array, "].server", or of a subjob, "3].server".
func (id jobID) inArray(number, rest string) (jobID, error) {
	inside, server, ok := strings.Cut(rest, "]")
	if !ok || server != "" && server[0] != '.' {
		return id, errID
	}
	if id.array = inside == ""; id.array {
		return id, nil
	}
	index, err := strconv.ParseUint(inside, 10, 32)
	if err != nil {
		return id, errID
	}
	id.subjob, id.index = true, uint32(index)
	id.parent = number + "[]" + strings.TrimSuffix(server, ".")
	return id, nil
}

// digitsOf counts the digits that a text begins with.
func digitsOf(text string) int { return len(text) - len(strings.TrimLeft(text, "0123456789")) }
