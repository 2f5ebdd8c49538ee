package lint

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

// Many prints a number with its noun.
func Many(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if first, second, both := strings.Cut(noun, " or "); both {
		return strconv.Itoa(n) + " " + first + "s or " + second + "s"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Sentences joins sentences that begin with a small letter and have no period.
func Sentences(first string, more ...string) string {
	for _, s := range more {
		first += ". " + strings.ToUpper(s[:1]) + s[1:]
	}
	return first
}

// Few lists some of many names.
func Few(names []string) string {
	const most = 5
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// Verb agrees with a number.
func Verb(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// Lasting formats a duration in the largest unit that fits.
func Lasting(d time.Duration) string {
	for _, u := range []struct {
		d    time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		if d >= u.d {
			n := strconv.FormatFloat(math.Round(10*float64(d)/float64(u.d))/10, 'f', -1, 64)
			return n + " " + Verb(BoolInt(n == "1"), u.name, u.name+"s")
		}
	}
	return Many(int(d/time.Second), "second")
}

func BoolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Seconds converts seconds to a duration, at most Forever.
func Seconds(x float64) time.Duration {
	if x >= float64(model.Forever/time.Second) {
		return model.Forever
	}
	return time.Duration(x * float64(time.Second))
}

// Number is the shortest decimal form.
func Number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// Rounded formats a number with four significant digits.
func Rounded(x float64) string {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	return Number(v)
}

// Nearest removes rounding errors of binary fractions.
func Nearest(x float64) float64 {
	if x == 0 {
		return 0
	}
	unit := math.Pow(10, 6-math.Ceil(math.Log10(x)))
	return math.Round(x*unit) / unit
}

// Asks reports whether a job asks for a resource.
func Asks(j *model.Job, resource string) bool {
	for _, r := range j.Hard {
		if r.Resource == resource {
			return true
		}
	}
	return false
}
