package push

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/cmd/qprism/subject"
	"qprism/cmd/qprism/words"
)

// Wanted reads the wanted order of --first, --order or --policy.
func Wanted(ctx context.Context, s *subject.Subject, opts Options, at time.Time, warn io.Writer) ([]uint32, error) {
	switch {
	case len(opts.First) > 0:
		return readOrder(strings.NewReader(strings.Join(opts.First, " ")), "--first", nil)
	case opts.Order == "-":
		return readOrder(os.Stdin, "standard input", opts.Again)
	case opts.Order != "":
		f, err := os.Open(opts.Order)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return readOrder(f, opts.Order, opts.Again)
	case opts.Policy != "":
		return orderOf(ctx, s, opts, at, warn)
	}
	return nil, errors.New("name the wanted order: --order FILE with job numbers, --first JOB, or --policy NAME")
}

// readOrder reads job numbers, separated by blanks, commas or lines. # begins a comment. A number that comes
// twice is an error. If again is set, it is called instead, and the first place counts.
func readOrder(r io.Reader, name string, again func(string)) ([]uint32, error) {
	var list []uint32
	first := map[uint32]int{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		for _, word := range strings.FieldsFunc(text, func(r rune) bool {
			return r == ' ' || r == '\t' || r == ',' || r == '\r'
		}) {
			digits, rest := word, "" // of PBS an id: 12.server, 12[].server
			if at := strings.IndexAny(word, ".["); at > 0 {
				digits, rest = word[:at], strings.TrimPrefix(word[at:], "[]")
			}
			number, err := strconv.ParseUint(digits, 10, 32)
			if rest != "" && rest[0] != '.' {
				err = strconv.ErrSyntax
			}
			if err != nil || number == 0 {
				return nil, fmt.Errorf("%s:%d: %q is not a job number", name, n, word)
			}
			if before := first[uint32(number)]; before > 0 {
				text := fmt.Sprintf("%s:%d: job %d is also in line %d", name, n, number, before)
				if again == nil {
					return nil, errors.New(text)
				}
				again(text)
				continue
			}
			first[uint32(number)] = n
			list = append(list, uint32(number))
		}
	}
	return list, lines.Err()
}

// noneWaits refuses an order without a waiting job.
func noneWaits(wanted []uint32) error {
	return fmt.Errorf(
		"no named job has a place in the queue: each one runs, is held, is in error or is gone: %s", listed(wanted))
}

// passedOver are wanted jobs that no run ranks.
func passedOver(wanted, waiting []uint32) (list []uint32) {
	there := make(map[uint32]bool, len(waiting))
	for _, job := range waiting {
		there[job] = true
	}
	for _, job := range wanted {
		if !there[job] {
			list = append(list, job)
		}
	}
	return list
}

// worthAPlace leaves out jobs that can never run, because they would use up places. With --first such a job is
// an error.
func worthAPlace(s *subject.Subject, opts Options, wanted []uint32) (rest, never []uint32, err error) {
	jobs := s.Snapshot.JobsByNumber()
	rest = slices.DeleteFunc(slices.Clone(wanted), func(number uint32) bool { return s.NeverRuns(jobs[number]) })
	if len(rest) == len(wanted) {
		return wanted, nil, nil
	}
	never = passedOver(wanted, rest)
	if len(opts.First) > 0 || len(rest) == 0 {
		job := jobs[never[0]]
		return nil, nil, fmt.Errorf("job %s %s; %s says more", job.KnownAs(), words.NeverShort(s.ChanceOf(job)),
			s.Command("why", job.KnownAs()))
	}
	return rest, never, nil
}
