package exporter

import (
	"context"
	"time"

	"qprism/engine/model"
)

// A Runner runs commands on a host with the clients of the cluster: here, or over a connection. One call is
// one remote execution. The commands run one after the other; a failure does not stop the next. An error says
// what cut the execution short. Then there are fewer results than commands: the next command may have run,
// the others did not.
type Runner interface {
	Run(ctx context.Context, commands [][]string) ([]Result, error)
}

// Locks allow only one process at a time to send orders to a cluster.
type Locks interface {
	// Lock locks the cluster for a holder until release or the end of the process. If it is locked, other is
	// the holder.
	Lock(ctx context.Context, cluster, holder string) (release func(), other string, err error)
}

// A Journal stores pushes. When a method returns, its data is safe.
type Journal interface {
	// BeginPush stores a new push with all orders planned, and returns its number.
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

// A System is one way to steer a batch system: its commands and their answers.
type System interface {
	// Kind is the name of this way in a stored push: "qalter -p".
	Kind() string
	// Commands are the commands for orders, in the order of sending.
	Commands(orders []model.Order) []Command
	// Answers reads the output of a command: for each of its orders the master's complaint, "" if it agreed.
	Answers(c Command, orders []model.Order, r Result) []Answer
	// Undo is the order that undoes another one; ok is false if none does.
	Undo(model.Order) (o model.Order, ok bool)
	// Chained reports whether each command needs the one before. Then a refusal stops the rest.
	Chained() bool
	// Rights says which rights the account lacks for the orders; "" for none.
	Rights(context.Context, Runner, []model.Order) (missing string, err error)
	// Read asks the master for the values that orders set, and for its order of waiting jobs.
	Read(context.Context, Runner) (*Live, error)
	// Whose asks for owners and submission times of jobs (see WhoseJobs), by id. Unknown jobs are left out.
	Whose(ctx context.Context, r Runner, jobs []string) (map[string]string, error)
}

// A Command is the argument vector for some orders.
type Command struct {
	Args   []string
	Orders []int // indices
}

// An Answer is the master's answer to one order. Known is false if the output does not show it.
type Answer struct {
	Known   bool
	Refused bool
	Gone    bool // the job no longer exists
	Unsent  bool // the command never started
	Words   string
}

// Live is the present state of the master.
type Live struct {
	Jobs  map[string]LiveJob
	Order []string // waiting jobs in the master's order; nil if it does not show it
	// Places means that the order is that of places in queues. Other criteria decide as well.
	Places bool
}

// A LiveJob is the present state of a job.
type LiveJob struct {
	Values  map[string]string // by attribute
	Waiting bool              // orders can still change it
	Taken   bool              // the scheduler has used the values
	Terms   *Terms            // other terms of its priority; nil if the master does not print them
}

// Terms are the other terms of a job's priority, each between 0 and 1, from the last scheduler run
// (sge_priority(5)).
type Terms struct {
	Urgency float64 // nurg
	Tickets float64 // ntckts
}
