package quirk

// claims are what manuals say, and the specification of reservations ("Resource Reservation and
// Backfilling"), where releases do otherwise, by the number of the quirk. A quirk that is not here is one
// that neither speaks of.
var claims = map[string]string{
	"Q1": "sched_conf(5): weight_user, weight_project, weight_department and weight_job are the " +
		"relative importance of these shares",
	"Q3":  "sge_priority(5): normalization maps the tickets of the jobs into a range between 0 and 1",
	"Q6":  "sge_priority(5): normalization maps each urgency into a range between 0 and 1",
	"Q7":  "sge_priority(5): the waiting time contribution is the waiting time in seconds × weight_waiting_time",
	"Q9":  "complex(5): a consumable JOB is debited once for the job, however many slots it has",
	"Q16": "sched_conf(5): max_pending_tasks_per_job is how many tasks of a pending array are looked at",
	"Q21": "share_tree(5): shares are those of a node among the nodes with the same parent",
	"Q24": "sched_conf(5): in halftime, usage will have been decayed to half its value",
	"Q39": "sge_conf(5): the value 0 of max_aj_instances deactivates the limit",
	"Q40": "qsub(1): -tc is a limit on the number of concurrently running tasks",
	"D1":  "specification: a reservation is made for the earliest time at which the job can start",
	"D2":  "specification: a reservation is made for the earliest time at which the job can start",
	"D3":  "sched_conf(5): the top max_reservation jobs, in priority order, are considered for reservations",
	"D6": "sched_conf(5): when a runnable job cannot be started due to a shortage of resources, a " +
		"reservation can be scheduled",
	"D7":  "sched_conf(5): the run time assumed is the maximum of the times given with -l h_rt and -l s_rt",
	"D11": "specification: a reservation is made for the earliest time at which the job can start",
	"D20": "queue_conf(5): seq_no is a queue's position in the scheduling order, with queue_sort_method seqno",
	"D22": "complex(5): EXCL is true for a job only if no other job uses the resource exclusively",
	"D24": "sge_resource_quota(5): limits may refer to fixed or consumable resources",
}

// Claim is the behavior that a manual promises instead of the quirk. It is empty if no manual mentions this
// behavior.
func (q *Quirk) Claim() string { return claims[q.ID] }
