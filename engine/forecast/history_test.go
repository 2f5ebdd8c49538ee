package forecast

import (
	"testing"
	"time"

	"qprism/engine/model"
)

func TestATaskRunsAsLongAsThoseOfItsNameDidAndNoLongerThanItsLimit(t *testing.T) {
	at := time.Unix(1795248534, 0)
	ran := func(owner, name string, minutes ...int) (list []model.EndedTask) {
		for _, m := range minutes {
			list = append(list, model.EndedTask{Owner: owner, Name: name, Started: at, Wallclock: time.Duration(m) * time.Minute})
		}
		return list
	}
	ended := append(ran("ann", "render", 10, 50, 20), ran("ann", "mail", 1, 1, 1, 1)...)
	ended = append(ended, model.EndedTask{Owner: "ann", Name: "render", Wallclock: time.Hour}) // never ran
	limited := []model.Request{{Resource: "h_rt", Value: "900"}}
	for what, c := range map[string]struct {
		owner, name string
		hard        []model.Request
		ran, want   time.Duration
	}{
		"the median of its name":                      {owner: "ann", name: "render", want: 20 * time.Minute},
		"its limit is shorter":                        {owner: "ann", name: "render", hard: limited, want: 15 * time.Minute},
		"its history is shorter than its limit":       {owner: "ann", name: "mail", hard: limited, want: time.Minute},
		"it has outlived half of them":                {owner: "ann", name: "render", ran: 20 * time.Minute, want: 50 * time.Minute},
		"it has outlived all of its name and owner":   {owner: "ann", name: "render", ran: time.Hour, want: 3 * time.Hour},
		"a name that is new: the median of the owner": {owner: "ann", name: "new", want: time.Minute},
		"an owner who is new: the estimate":           {owner: "bob", name: "render", want: 3 * time.Hour},
		"an owner who is new: the limit":              {owner: "bob", name: "render", hard: limited, want: 15 * time.Minute},
	} {
		clock := Clock{Estimate: 3 * time.Hour, History: Learn(ended)}
		if got := clock.LengthAfter(&model.Job{Owner: c.owner, Name: c.name, Hard: c.hard}, nil, c.ran); got != c.want {
			t.Errorf("%s: got %v, want %v", what, got, c.want)
		}
	}
}
