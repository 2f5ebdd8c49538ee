package model

import (
	"strconv"
	"strings"
	"time"
)

// A PBSID is a parsed id of a PBS job: "12.server", "12[].server" for an array, "12[3].server" for its subjob
// 3.
type PBSID struct {
	Number uint32
	Array  bool   // an array or a subjob
	Subjob bool   // a subjob
	Index  uint32 // of the subjob
	Server string // empty if the id has none
}

// ParsePBSID parses an id; ok is false for another text.
func ParsePBSID(text string) (id PBSID, ok bool) {
	sequence, server, _ := strings.Cut(text, ".")
	number, inner, array := strings.Cut(sequence, "[")
	n, err := strconv.ParseUint(number, 10, 32)
	if err != nil {
		return PBSID{}, false
	}
	id = PBSID{Number: uint32(n), Array: array, Server: server}
	if !array {
		return id, true
	}
	inner, closed := strings.CutSuffix(inner, "]")
	if inner == "" {
		return id, closed
	}
	index, err := strconv.ParseUint(inner, 10, 32)
	id.Subjob, id.Index = true, uint32(index)
	return id, closed && err == nil
}

// PBSArrayOf is the id of a subjob's array; any other id is returned unchanged.
func PBSArrayOf(id string) string {
	open, closing := strings.IndexByte(id, '['), strings.IndexByte(id, ']')
	if open < 0 || closing < open {
		return id
	}
	return id[:open+1] + id[closing:]
}

// PBSTime is a time in seconds since 1970; zero for another text.
func PBSTime(text string) time.Time {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 {
		return time.Time{}
	}
	return time.Unix(n, 0).UTC()
}
