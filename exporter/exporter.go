package exporter

import (
	"context"
	"time"

	"qprism/engine/model"
)

// A Runner runs commands on a host with the cluster's commands: here, or over a connection. One call is one
// remote execution. The commands run one after the other. If a command fails, the next one still runs. An error
// says what cut the execution short. Then there are fewer results than commands: the next command may have run,
// the others did not.
type Runner interface {
	Run(ctx context.Context, commands [][]string) ([]Result, error)
}

// Locks let only one process at a time send orders to a cluster.
type Locks interface {
	// Lock locks the cluster for a holder, until the call of release or the end of the process. If the cluster
	// is locked, other is the holder of the lock.
	Lock(ctx context.Context, cluster, holder string) (release func(), other string, err error)
}

// A Journal stores pushes. When a method returns, its data is safe.
type Journal interface {
	// BeginPush stores a new push and returns its number. All its orders are planned.
	BeginPush(context.Context, *model.Push) (int64, error)
	// RecordOrders stores the states of some orders of a push, by their index.
	RecordOrders(ctx context.Context, push int64, orders map[int]model.Order) error
	// EndPush stores when and how a push ended.
	EndPush(ctx context.Context, push int64, at time.Time, outcome string) error
	// Push loads a push by its number. The error is model.ErrNoPush if there is none.
	Push(ctx context.Context, id int64) (*model.Push, error)
	// LastPush loads the newest push of a cluster. The error is model.ErrNoPush if there is none.
	LastPush(ctx context.Context, cluster string) (*model.Push, error)
	// OpenDrives loads the drives of a cluster that have not ended.
	OpenDrives(ctx context.Context, cluster string) ([]model.Drive, error)
}

// A System is one way to steer a batch system. It knows the commands and their answers.
type System interface {
	// Kind returns the name of this way in a stored push, for example "qalter -p".
	Kind() string
	// Commands returns the commands for orders, in the order of sending.
	Commands(orders []model.Order) []Command
	// Answers reads the output of a command. For each order of the command it returns the master's complaint.
	// The complaint is empty if the master agreed.
	Answers(c Command, orders []model.Order, r Result) []Answer
	// Undo returns the order that undoes another one. ok is false if that is impossible.
	Undo(model.Order) (o model.Order, ok bool)
	// Chained reports whether each command needs the success of the previous one. If so, a refusal stops the
	// rest.
	Chained() bool
	// Rights says which rights the account lacks for the orders. It is empty if the account has all of them.
	Rights(context.Context, Runner, []model.Order) (missing string, err error)
	// Read asks the master for its order of waiting jobs, and for the present values of the attributes that
	// orders set.
	Read(context.Context, Runner) (*Live, error)
	// Whose asks for owners and submission times of jobs (see WhoseJobs), by id. The result lacks unknown jobs.
	Whose(ctx context.Context, r Runner, jobs []string) (map[string]string, error)
}

// A Command is an argument vector, and the orders that it carries out.
type Command struct {
	Args   []string
	Orders []int // indices of its orders
}

// An Answer is the master's answer to one order. Known is false if the output does not show it.
type Answer struct {
	Known   bool
	Refused bool
	Gone    bool // the job no longer exists
	Unsent  bool // the command did not start
	Words   string
}

// Live is the state of the master now.
type Live struct {
	Jobs  map[string]LiveJob
	Order []string // waiting jobs in the master's order; nil if the master does not show it
	// Places is true if Order has the places of jobs in queues. Then the scheduler also uses other criteria.
	Places bool
}

// A LiveJob is the state of a job now.
type LiveJob struct {
	Values  map[string]string // by attribute
	Waiting bool              // orders can still change it
	Taken   bool              // the scheduler has used the values
	Terms   *Terms            // other terms of its priority; nil if the master does not print them
}

// Terms are the other terms of a job's priority, from the last scheduler run (sge_priority(5)). Each is between
// 0 and 1.
type Terms struct {
	Urgency float64 // nurg
	Tickets float64 // ntckts
}
