package pbs

import (
	"errors"
	"strconv"

	"qprism/engine/model"
)

// readResourceGroup reads resource_group: name, cresgroup, parent, shares.
func readResourceGroup(r *reader) error {
	file := r.choose("resource_group")
	return r.linesOf(file, func(number int, line string) error {
		words := fields(line)
		if len(words) < 4 {
			r.Unknown(file, number, "line without four fields", line)
			return nil
		}
		group, err1 := cInt(words[1])
		shares, err2 := cInt(words[3])
		if err := errors.Join(err1, err2); err != nil {
			r.Unknown(file, number, "line without two numbers", line)
			return nil
		}
		r.pbs.Fairshare.Groups = append(r.pbs.Fairshare.Groups,
			model.ResourceGroup{Line: number, Name: words[0], Group: group, Parent: words[2], Shares: shares})
		return nil
	})
}

// cInt reads a number as strtol into an int does: what is too large wraps.
func cInt(text string) (int32, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		err = nil
	}
	return int32(n), err
}
