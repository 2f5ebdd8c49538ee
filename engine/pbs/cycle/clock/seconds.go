package clock

// Seconds are a Unix time or a length of time in seconds. Unset ones are never.
type Seconds = int64

const (
	Never     Seconds = -1
	Forever   Seconds = -2                     // of the end of prime time: it has none
	FiveYears Seconds = 5 * 365 * 24 * 60 * 60 // the length of a job that says none
)
