package model

// Quirks are the differences between a release and its manual. The zero value has none. Package compat makes
// those of each release from the tables of package quirk. The numbers are those of docs/rules.
type Quirks struct {
	PendingWeightsOverAll  bool // Q1
	SecondPass             bool // Q2
	MaximumOverPasses      bool // Q3
	SelectionOffset        bool // Q4
	UrgencyMaximumPositive bool // Q6
	UnsignedWaiting        bool // Q7
	JobConsumableTimesN    bool // Q9
	TasksByFreeSlots       bool // Q16
	StaleTemplate          bool // Q18
	TruncatedJobShare      bool // Q20
	SiblingTarget          bool // Q21
	DiluteByPE             bool // Q22
	OldDilution            bool // Q52
	LinearDecay            bool // Q24
	DecayAll               bool // Q53
	ZeroInstancesExcludes  bool // Q39
	FirstRangeOnly         bool // Q40

	// For dispatch.
	StaleTags               bool // D1
	SharedTags              bool // D2
	StopWhenFull            bool // D3
	ClosedStayOpen          bool // D4
	LoadAlarmForgotten      bool // D5
	RejectForGood           bool // D6
	ShorterLimit            bool // D7
	EarlierGapsIgnored      bool // D11
	FirstPEDecides          bool // D13
	RangeCheckStops         bool // D14
	AdaptiveRange           bool // D15
	MasterLast              bool // D18
	ExclusiveUseIgnored     bool // D22
	FileSizeByData          bool // D29
	SlotsRemembered         bool // D16
	UnsuitableKeepsSlot     bool // D17
	SoftOrderStays          bool // D19
	UnsortedTail            bool // D20
	HostOrderStays          bool // D68
	EmptyReservation        bool // D69
	AdvancePE               bool // D70
	LeftoverMaster          bool // D21
	AdjustmentsLost         bool // D72
	LastLimitDecides        bool // D23
	ReversedLimit           bool // D24
	ClosingForgetsBookings  bool // D28
	UnsignedSlots           bool // D45
	QueueLimitBlocksQuota   bool // D62
	FirstQuotaSetHides      bool // D66
	ZeroQuotaLeavesSlot     bool // D73
	QueueSuspendUnreported  bool // D61
	PosixAtSubmit           bool // O10
	FractionalClock         bool // O9
	TicketsMoveJobs         bool // O1
	InfinityEnds            bool // O12
	GlobalByGrant           bool // O16
	GrantsByHost            bool // O17
	QuotaOrderStays         bool // O18
	ReservationTakesNewTask bool // D38
}
