package blame

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	"qprism/engine/model"
)

// An Offer is a value of a resource in some place of the cluster.
type Offer struct {
	Text   string
	Amount float64
}

// mostParts bounds into how many slots an amount is divided.
const mostParts = 256

// Less looks for the largest amount that a job could ask for. It assumes that a smaller amount never fits
// worse.
type Less struct {
	Offers []Offer
	Below  float64 // exclusive upper bound
	Parts  int     // the fewest slots of the job: they may share a place's amount
	Print  func(float64) string
	Parse  func(string) (float64, bool)
}

// Find is the largest amount that fits, empty for none. It tries the whole amount of each place, also divided
// by numbers of slots.
func (l *Less) Find(fits func(text string) bool) string {
	amounts := l.candidates()
	sorted := slices.Sorted(maps.Keys(amounts))
	first, _ := slices.BinarySearchFunc(sorted, true, func(n float64, _ bool) int {
		if fits(amounts[n]) {
			return -1
		}
		return 1
	})
	if first == 0 {
		return ""
	}
	return amounts[sorted[first-1]]
}

// candidates are the amounts in question, each with its text.
func (l *Less) candidates() map[float64]string {
	amounts := map[float64]string{}
	for _, o := range l.Offers {
		for k := 1; k <= min(max(l.Parts, 1), mostParts); k++ {
			text := o.Text
			if k > 1 || text == "" {
				text = l.Print(o.Amount / float64(k))
			}
			if n, ok := l.Parse(text); ok && n > 0 && n < l.Below {
				amounts[n] = text
			}
		}
	}
	return amounts
}

// Nearby sorts numbers by distance to the requested one; texts keep their order.
func Nearby(offers []Offer, asked string) []Offer {
	if n, err := model.ParseNumber(asked); err == nil {
		slices.SortStableFunc(offers, func(x, y Offer) int { return cmp.Compare(math.Abs(x.Amount-n), math.Abs(y.Amount-n)) })
	}
	return offers
}

// AmountText formats an amount so that the master does not read it as more: memory in whole units, times in
// seconds.
func AmountText(t model.ResourceType, n float64) string {
	if t == model.TypeDouble {
		return strconv.FormatFloat(n, 'g', 6, 64)
	}
	n = math.Floor(n)
	if t == model.TypeMemory {
		for _, u := range []struct {
			size float64
			unit string
		}{{1 << 30, "G"}, {1 << 20, "M"}, {1 << 10, "K"}} {
			if n >= 10*u.size || n >= u.size && math.Mod(n, u.size) == 0 {
				return strconv.FormatFloat(math.Floor(n/u.size), 'f', -1, 64) + u.unit
			}
		}
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}
