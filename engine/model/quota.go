package model

import "time"

// A QuotaSet is a resource quota set, sge_resource_quota(5).
type QuotaSet struct {
	Name        string
	Description string
	Enabled     bool
	Rules       []QuotaRule
}

// A QuotaRule limits resources for everything that its filters match.
type QuotaRule struct {
	Name                                string // empty for an unnamed rule
	Users, Projects, PEs, Queues, Hosts QuotaFilter
	Limits                              []Setting // "slots" "4" or "slots" "$num_proc*2"
}

// A QuotaFilter is one filter of a rule; the zero filter matches everything.
type QuotaFilter struct {
	Set     bool
	Each    bool     // in braces: each member has its own limit
	Include []string // "*" for all, "@group" for lists
	Exclude []string // names with "!"
}

// A Calendar closes queues at times, calendar_conf(5).
type Calendar struct {
	Name string
	Year []YearEntry
	Week []WeekEntry
}

// Clock is a time of day, from midnight.
type Clock = time.Duration

// A Daytime is a range of the day, From until To, 24h for midnight.
type Daytime struct{ From, To Clock }

// A Date is a day of a calendar's year line.
type Date struct{ Day, Month, Year int }

// A YearEntry is one entry of a calendar's year line; no Times means the whole day, a zero From every day.
type YearEntry struct {
	From, To Date // To equals From for a single day
	Times    []Daytime
	State    string // "on", "off" or "suspended"
}

// A WeekEntry is one entry of a calendar's week line; no Days means every day, no Times the whole day.
type WeekEntry struct {
	Days  []WeekdayRange
	Times []Daytime
	State string
}

// A WeekdayRange is Mon-Fri, or a single day where From equals To.
type WeekdayRange struct{ From, To time.Weekday }

// An AdvanceReservation is an advance reservation of qrsub.
type AdvanceReservation struct {
	Number     uint32
	Name       string
	Owner      string
	State      string
	Start, End time.Time
	Duration   time.Duration
	Submitted  time.Time // zero if only the list of reservations is known
	PE         string
	Granted    []Grant
	Requests   []Request
	Settings   []Setting // every other element of qrstat, in order
}
