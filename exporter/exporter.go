package exporter

import (
	"context"
	"time"

	"qprism/engine/model"
)

// A Runner runs commands where the clients of the cluster are installed: here, or over a connection. One call
// is one remote execution. The commands run one after the other, and a failure does not stop the next. An error
// says what cut the execution short. Then there are fewer results than commands: the next command may have run,
// and none after it.
type Runner interface {
	Run(ctx context.Context, commands [][]string) ([]Result, error)
}

// Locks let one process at a time send orders to a cluster.
type Locks interface {
	// Lock takes the cluster for a holder until the release, or the end of the process, or says who has it.
	Lock(ctx context.Context, cluster, holder string) (release func(), other string, err error)
}

// A Journal keeps pushes. What a method stored is safe when it returns.
type Journal interface {
	// BeginPush stores a new push, all its orders planned, and returns its number.
	BeginPush(context.Context, *model.Push) (int64, error)
	// RecordOrders stores the states of some orders of a push, by their index.
	RecordOrders(ctx context.Context, push int64, orders map[int]model.Order) error
	// EndPush stores when and how a push ended.
	EndPush(ctx context.Context, push int64, at time.Time, outcome string) error
	// Push loads a push; model.ErrNoPush if there is none of that number.
	Push(ctx context.Context, id int64) (*model.Push, error)
	// LastPush loads the newest push of a cluster; model.ErrNoPush if there is none.
	LastPush(ctx context.Context, cluster string) (*model.Push, error)
	// OpenDrives loads the drives of a cluster that have not ended.
	OpenDrives(ctx context.Context, cluster string) ([]model.Drive, error)
}

// A System is one way to steer a batch system: its commands, and how it answers.
type System interface {
	// Kind names the way in which the system is steered, in a stored push: "qalter -p".
	Kind() string
	// Commands are the calls that carry out orders, in the order of sending; each says which orders it is for.
	Commands(orders []model.Order) []Command
	// Answers reads what a command printed: for each of its orders what the master said, "" where it agreed.
	Answers(c Command, orders []model.Order, r Result) []Answer
	// Undo is the order that takes another one back; ok is false where nothing does.
	Undo(model.Order) (o model.Order, ok bool)
	// Chained reports whether each command needs the one before. Then nothing is sent after a refusal.
	Chained() bool
	// Rights says what the account may not do of what orders need; "" if it may do all.
	Rights(context.Context, Runner, []model.Order) (missing string, err error)
	// Read asks the master for what orders set, and for its order of waiting jobs.
	Read(context.Context, Runner) (*Live, error)
	// Whose asks for the owners and submission times of jobs (see WhoseJobs), by id. Unknown jobs are left out.
	Whose(ctx context.Context, r Runner, jobs []string) (map[string]string, error)
}

// A Command is an argument vector that carries out orders.
type Command struct {
	Args   []string
	Orders []int // indices
}

// An Answer is what the master said of one order. Known is false if the output does not tell.
type Answer struct {
	Known   bool
	Refused bool
	Gone    bool // the job is not there any more
	Unsent  bool // the command never started
	Words   string
}

// Live is what the master says now.
type Live struct {
	Jobs  map[string]LiveJob
	Order []string // waiting jobs as the master ranks them; nil where it does not tell
	// Places says that the order is one of places in queues. Other terms decide as well.
	Places bool
}

// A LiveJob is a job as the master has it now.
type LiveJob struct {
	Values  map[string]string // by attribute
	Waiting bool              // it can still be steered
	Taken   bool              // the scheduler has taken note of the values
	Terms   *Terms            // what else ranks it; nil where the master does not print it
}

// Terms rank a job besides what orders set, each between 0 and 1, as the scheduler computed them last
// (sge_priority(5)).
type Terms struct {
	Urgency float64 // nurg
	Tickets float64 // ntckts
}
