package pbs

// readScheduler reads the scheduler's own files.
func readScheduler(r *reader) error {
	for _, step := range []func(*reader) error{
		readSchedConfig, readFormula, readHolidays, readDedicatedTime, readResourceGroup, readUsage,
	} {
		if err := step(r); err != nil {
			return err
		}
	}
	return nil
}

// linesOf calls read for the lines of a scheduler's file that are no comments. Its buffer holds 255 bytes: a longer line
// is as many lines.
func (r *reader) linesOf(file string, read func(number int, line string) error) error {
	return r.EachLine(file, func(number int, text []byte) error {
		for first := true; first || len(text) > 0; first = false {
			const buffer = 255
			piece := text[:min(len(text), buffer)]
			text = text[len(piece):]
			if isComment(string(piece)) {
				continue
			}
			if err := read(number, string(piece)); err != nil {
				return err
			}
		}
		return nil
	})
}

// What a line of the scheduler's files says that the scheduler itself passes over with a line in its log is no reason to
// refuse the bundle: it is kept among what nobody knows.
