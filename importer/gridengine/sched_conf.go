package gridengine

import (
	"errors"
	"fmt"
	"math"
	"time"

	"qprism/engine/model"
)

// readSchedConf reads sched_conf.txt, what qconf -ssconf printed: sched_conf(5).
func readSchedConf(c *configReader) error {
	const file = "sched_conf.txt"
	lines, err := c.lines(file)
	if err != nil || len(lines) == 0 {
		return err
	}
	o := object{file: file}
	p := &c.Snap.Policy
	known := policyFields(p)
	for _, l := range lines {
		key, _ := l.pair()
		if l.comment() {
			continue
		}
		if known[key] == nil {
			known[key] = also(&p.Other, key) // of another release
		}
		o.rest = append(o.rest, l)
	}
	err = c.fill(o, known, "halftime", "weight_user", "weight_project", "weight_department", "weight_job",
		"weight_tickets_functional", "weight_tickets_share", "policy_hierarchy", "weight_ticket", "weight_waiting_time",
		"weight_deadline", "weight_urgency", "weight_priority")
	if errors.Is(err, errLeftOut) {
		*p = model.Policy{} // half a policy would rank jobs in another order, and one of zeros too
		c.noPolicy = true
		return nil
	}
	return err
}

func policyFields(p *model.Policy) fields {
	return fields{
		"algorithm":                       text(&p.Algorithm),
		"schedule_interval":               interval(&p.ScheduleInterval),
		"maxujobs":                        integer(&p.MaxUserJobs),
		"queue_sort_method":               queueSort(&p.QueueSort),
		"job_load_adjustments":            settings(&p.LoadAdjustments),
		"load_adjustment_decay_time":      interval(&p.LoadAdjustmentDecay),
		"load_formula":                    optional(&p.LoadFormula),
		"schedd_job_info":                 text(&p.SchedulerJobInfo),
		"flush_submit_sec":                interval(&p.FlushSubmit),
		"flush_finish_sec":                interval(&p.FlushFinish),
		"params":                          params(&p.Params),
		"reprioritize_interval":           interval(&p.ReprioritizeEvery),
		"halftime":                        hours(&p.HalfTime),
		"usage_weight_list":               amounts(&p.UsageWeights),
		"compensation_factor":             decimal(&p.CompensationFactor),
		"weight_user":                     decimal(&p.WeightUser),
		"weight_project":                  decimal(&p.WeightProject),
		"weight_department":               decimal(&p.WeightDepartment),
		"weight_job":                      decimal(&p.WeightJob),
		"weight_tickets_functional":       count(&p.FunctionalTickets),
		"weight_tickets_share":            count(&p.ShareTreeTickets),
		"share_override_tickets":          boolean(&p.ShareOverrideTickets),
		"share_functional_shares":         boolean(&p.ShareFunctionalShares),
		"max_functional_jobs_to_schedule": count(&p.MaxFunctionalJobs),
		"report_pjob_tickets":             boolean(&p.ReportPendingTickets),
		"max_pending_tasks_per_job":       count(&p.MaxPendingTasks),
		"halflife_decay_list":             halfLives(&p.HalfLives),
		"policy_hierarchy":                optional(&p.Hierarchy),
		"weight_ticket":                   decimal(&p.WeightTicket),
		"weight_waiting_time":             decimal(&p.WeightWaitingTime),
		"weight_deadline":                 decimal(&p.WeightDeadline),
		"weight_urgency":                  decimal(&p.WeightUrgency),
		"weight_priority":                 decimal(&p.WeightPriority),
		"max_reservation":                 integer(&p.MaxReservation),
		"default_duration":                interval(&p.DefaultDuration),
	}
}

// queueSort reads a word, or its number as the files of classic spooling have it.
func queueSort(p *string) func(string) error {
	return func(value string) error {
		switch value {
		case "0":
			value = "load"
		case "1":
			value = "seqno"
		}
		return text(p)(value)
	}
}

// params reads the list of params, whose separators are commas, semicolons and blanks.
func params(p *[]model.Setting) func(string) error {
	return func(value string) error {
		*p = parseSettings(value, ",;"+blanks)
		return nil
	}
}

// halfLives reads "cpu=MINUTES:mem=MINUTES…"; the master asks for no more than that a number begins the minutes.
func halfLives(p *[]model.HalfLife) func(string) error {
	return func(value string) error {
		half, err := parseAmounts(value, ":")
		if err != nil {
			return err
		}
		*p = nil
		for _, h := range half {
			every := h.Value * float64(time.Minute)
			if math.Abs(every) >= float64(model.Forever) {
				return fmt.Errorf("%s: %w", h.Name, errRange)
			}
			*p = append(*p, model.HalfLife{Name: h.Name, Every: time.Duration(every)})
		}
		return nil
	}
}
