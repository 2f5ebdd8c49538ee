package drive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"qprism/engine/model"
	"qprism/exporter"
)

// A Journal stores drives. When a method returns, its data is safe.
type Journal interface {
	// LastPush loads the newest push of a cluster. The error is model.ErrNoPush if there is none.
	LastPush(ctx context.Context, cluster string) (*model.Push, error)
	// BeginDrive stores a new drive and returns its number.
	BeginDrive(context.Context, *model.Drive) (int64, error)
	// OpenDrives loads the open drives of a cluster, or of all clusters if the name is empty.
	OpenDrives(ctx context.Context, cluster string) ([]model.Drive, error)
	// SaveDrive stores claims. It stores all of them or none.
	SaveDrive(ctx context.Context, drive int64, claims []model.Claim) error
	// DropClaims deletes claims.
	DropClaims(ctx context.Context, drive int64, claims []model.Claim) error
	// EndDrive stores when and how a drive ended.
	EndDrive(ctx context.Context, drive int64, at time.Time, outcome string) error
}

// A Driver is the configuration of a session.
type Driver struct {
	exporter.Controller
	Journal Journal
	// Silence is how long the watchdog on the cluster's host waits for a beat. Then it restores everything. 0
	// means no watchdog.
	Silence  time.Duration
	Restored bool   // the watchdog has restored everything, so it is the reason for missing values
	For      string // the user who asked for the restoration, if not this process
	// Sees gets the commands before Send sends any of them. An error stops them. Sees may be nil.
	Sees func(commands [][]string) error
	beat time.Time // when the watchdog last heard that this process lives
}

// A Wanted has the values that a waiting job should get. PBS uses only P and Whose.
type Wanted struct {
	P             *int          // nil for the old value
	Hold          model.TaskSet // tasks that the drive holds
	After         string        // instead of a hold: wait for the end of this job, if the master knows it
	Hosts, Queues string        // expressions of hosts and queues where the job may start; empty for all
	Also          string        // another request
	First         []string      // preferred hosts: a soft request
	Reserve       bool
	Why           string
	Array         bool
	Whose         string // owner and submission of the job
}

// A Session has the locks of a cluster and its open drive.
type Session struct {
	*Driver
	Drive  *model.Drive
	unlock func()
}

// Open takes the locks of a cluster. It continues the drive of the cluster or begins one.
func (d *Driver) Open(ctx context.Context, fresh model.Drive) (*Session, error) {
	s, err := d.Resume(ctx, fresh.Cluster)
	if !errors.Is(err, model.ErrNoDrive) {
		if err == nil && s.Drive.System != fresh.System {
			s.Close()
			return nil, &exporter.RefusalError{Why: fmt.Sprintf("the open drive belongs to %s", s.Drive.System)}
		}
		return s, err
	}
	unlock, err := d.Lock(ctx, fresh.Cluster, fresh.Identity)
	if err != nil {
		return nil, err
	}
	fresh.By, fresh.Begun = d.Holder, d.Now()
	if err := d.begin(ctx, &fresh); err != nil {
		unlock()
		return nil, err
	}
	return &Session{Driver: d, Drive: &fresh, unlock: unlock}, nil
}

// begin stores a new drive. It refuses while a push is unfinished, because the push has sent only a part of its
// orders.
func (d *Driver) begin(ctx context.Context, drive *model.Drive) error {
	switch last, err := d.Journal.LastPush(ctx, drive.Cluster); {
	case err == nil && last.Open():
		return &exporter.RefusalError{Why: fmt.Sprintf(
			"push %d was not finished; \"qprism push --resume --apply\" finishes it, \"qprism push "+
				"--undo --apply\" takes it back", last.ID)}
	case err != nil && !errors.Is(err, model.ErrNoPush):
		return err
	}
	id, err := d.Journal.BeginDrive(ctx, drive)
	if err != nil {
		return fmt.Errorf("nothing was sent, because the drive could not be stored: %w", err)
	}
	drive.ID = id
	return nil
}

// Resume takes the locks of a cluster and continues its drive, so that the caller can restore everything. The
// error is model.ErrNoDrive if no drive is open. An empty name means the cluster that answers, if it has a
// drive.
func (d *Driver) Resume(ctx context.Context, cluster string) (*Session, error) {
	open, err := d.Journal.OpenDrives(ctx, cluster)
	if err == nil && cluster == "" && len(open) > 0 {
		open, err = d.reached(ctx, open)
	}
	switch {
	case err != nil:
		return nil, err
	case len(open) == 0:
		return nil, model.ErrNoDrive
	case len(open) > 1:
		return nil, fmt.Errorf("\"qprism drive\" controls %d clusters; name one: %s and others", len(open), open[0].Cluster)
	}
	unlock, err := d.Lock(ctx, open[0].Cluster, open[0].Identity)
	if err != nil {
		return nil, err
	}
	again, err := d.Journal.OpenDrives(ctx, open[0].Cluster) // read again, because now nobody else can change it
	if err == nil && len(again) == 0 {
		err = model.ErrNoDrive
	}
	if err != nil {
		unlock()
		return nil, err
	}
	return &Session{Driver: d, Drive: &again[0], unlock: unlock}, nil
}

// reached returns the drives of the cluster that answers. If all drives are for other clusters, it refuses with
// the reason of the first.
func (d *Driver) reached(ctx context.Context, open []model.Drive) (list []model.Drive, err error) {
	var refused error
	for _, o := range open {
		err := d.Recognize(ctx, o.Cluster, o.Identity)
		var refusal *exporter.RefusalError
		switch {
		case err == nil:
			list = append(list, o)
		case !errors.As(err, &refusal):
			return nil, err
		case refused == nil:
			refused = err
		}
	}
	if len(list) == 0 {
		return nil, refused
	}
	return list, nil
}

// Close releases the locks. The drive keeps its claims.
func (s *Session) Close() { s.unlock() }

// End ends the drive if it has no more claims.
func (s *Session) End(ctx context.Context, outcome string) error {
	if n := len(s.Drive.Claims); n > 0 {
		return fmt.Errorf("%d changes are not taken back, the first is %s of %s: %s", n, s.Drive.Claims[0].Attribute,
			ofJob(s.Drive.Claims[0].Job),
			s.Drive.Claims[0].Words)
	}
	if err := s.Owe(ctx, nil); err != nil {
		return err
	}
	if s.For != "" {
		outcome += ", for " + s.For
	}
	s.Drive.Ended, s.Drive.Outcome = s.Now(), outcome
	return s.Journal.EndDrive(ctx, s.Drive.ID, s.Drive.Ended, outcome)
}

func ofJob(id string) string {
	if id == "" {
		return "the server"
	}
	return "job " + id
}

// Claim finds a claim. It returns nil if there is none.
func (s *Session) Claim(job, attribute string) *model.Claim {
	for i := range s.Drive.Claims {
		if c := &s.Drive.Claims[i]; c.Job == job && c.Attribute == attribute {
			return c
		}
	}
	return nil
}

// Jobs returns the wanted jobs, and the jobs with claims.
func (s *Session) Jobs(wanted map[string]Wanted) map[string]bool {
	jobs := map[string]bool{}
	for job := range wanted {
		jobs[job] = true
	}
	for _, c := range s.Drive.Claims {
		jobs[c.Job] = true
	}
	delete(jobs, "") // claims on the server itself
	return jobs
}

// ForgetIf drops the claims for which is returns true.
func (s *Session) ForgetIf(ctx context.Context, is func(model.Claim) bool) error {
	var list []model.Claim
	for _, c := range s.Drive.Claims {
		if is(c) {
			list = append(list, c)
		}
	}
	return s.Forget(ctx, list)
}

// Save stores claims. Call it before you send a command about them.
func (s *Session) Save(ctx context.Context, claims []model.Claim) error {
	if len(claims) == 0 {
		return nil
	}
	if err := s.Journal.SaveDrive(ctx, s.Drive.ID, claims); err != nil {
		return fmt.Errorf("the next step could not be stored: %w", err)
	}
	for _, c := range claims {
		if have := s.Claim(c.Job, c.Attribute); have != nil {
			*have = c
		} else {
			s.Drive.Claims = append(s.Drive.Claims, c)
		}
	}
	return nil
}

// Forget drops claims that were restored, or whose jobs no longer exist.
func (s *Session) Forget(ctx context.Context, claims []model.Claim) error {
	if len(claims) == 0 {
		return nil
	}
	if err := s.Journal.DropClaims(ctx, s.Drive.ID, claims); err != nil {
		return err
	}
	s.Drive.Claims = slices.DeleteFunc(s.Drive.Claims, func(c model.Claim) bool {
		return slices.ContainsFunc(claims, func(o model.Claim) bool { return o.Job == c.Job && o.Attribute == c.Attribute })
	})
	return nil
}

// Send sends commands in batches, and returns their results. If a command did not run, its result is nil. An
// error says what stopped the execution.
func (s *Session) Send(ctx context.Context, commands [][]string) ([]*exporter.Result, error) {
	if s.Sees != nil && len(commands) > 0 {
		if err := s.Sees(commands); err != nil {
			return make([]*exporter.Result, len(commands)), err
		}
	}
	list := make([]exporter.Command, len(commands))
	for i, argv := range commands {
		list[i] = exporter.Command{Args: argv, Orders: []int{i}}
	}
	answers := make([]*exporter.Result, len(commands))
	for _, batch := range exporter.Batches(list, s.Limits) {
		if err := s.Stopped(ctx); err != nil {
			return answers, err
		}
		if err := s.Recognize(ctx, s.Drive.Cluster, s.Drive.Identity); err != nil { // the connection may lead elsewhere
			return answers, err
		}
		for some := range slices.Chunk(batch, betweenBeats) {
			if err := s.sendSome(ctx, some, answers); err != nil {
				return answers, err
			}
		}
	}
	return answers, nil
}

// betweenBeats is the most commands between two messages to the watchdog.
const betweenBeats = 10

// sendSome runs some commands and notes their answers.
func (s *Session) sendSome(ctx context.Context, list []exporter.Command, answers []*exporter.Result) error {
	if err := s.Alive(ctx); err != nil {
		return err
	}
	argvs := make([][]string, len(list))
	for i, c := range list {
		argvs[i] = c.Args
	}
	results, err := s.Runner.Run(ctx, argvs)
	for i := range results[:min(len(results), len(list))] {
		answers[list[i].Orders[0]] = &results[i]
	}
	if err == nil && len(results) < len(list) {
		err = fmt.Errorf("qprism sent %d commands, and the master answered %d of them", len(list), len(results))
	}
	return err
}
