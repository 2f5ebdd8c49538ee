package qconf

import (
	"fmt"
	"math"
	"slices"
	"time"

	"qprism/engine/model"
	"qprism/importer/fields"
)

// readSchedConf reads sched_conf.txt, the output of qconf -ssconf: sched_conf(5).
func readSchedConf(c *configReader) error {
	const file = "sched_conf.txt"
	lines, err := c.lines(file)
	if err != nil || len(lines) == 0 {
		return err
	}
	p := &c.Snap.Policy
	o := object{file: file, rest: slices.DeleteFunc(lines, line.comment)}
	known := policyFields(p)
	for _, l := range o.rest {
		if key, _ := l.pair(); known[key].Read == nil {
			known[key] = fields.AsSetting(&p.Other, key) // key of another release
		}
	}
	err = c.fill(o, known, `halftime weight_user weight_project weight_department weight_job weight_tickets_functional
		weight_tickets_share policy_hierarchy weight_ticket weight_waiting_time weight_deadline weight_urgency weight_priority`)
	if err != nil {
		*p = model.Policy{} // half a policy would rank jobs in a wrong order; so would one of zeros
		c.NoPolicy = true
	}
	return nil
}

func policyFields(p *model.Policy) fields.Table {
	return fields.Table{
		"algorithm":                       fields.Text(&p.Algorithm).Holding(fields.Values),
		"schedule_interval":               interval(&p.ScheduleInterval),
		"maxujobs":                        integer(&p.MaxUserJobs),
		"queue_sort_method":               fields.Parsed(&p.QueueSort, parseQueueSort).With("load seqno share"),
		"job_load_adjustments":            settings(&p.LoadAdjustments),
		"load_adjustment_decay_time":      interval(&p.LoadAdjustmentDecay),
		"load_formula":                    optional(&p.LoadFormula).Holding(fields.Values),
		"schedd_job_info":                 fields.Text(&p.SchedulerJobInfo).With("job_list"),
		"flush_submit_sec":                interval(&p.FlushSubmit),
		"flush_finish_sec":                interval(&p.FlushFinish),
		"params":                          fields.Converted(&p.Params, parseParams).As("params"),
		"reprioritize_interval":           interval(&p.ReprioritizeEvery),
		"halftime":                        hours(&p.HalfTime),
		"usage_weight_list":               amounts(&p.UsageWeights).With(usageWords),
		"compensation_factor":             fields.Number(&p.CompensationFactor),
		"weight_user":                     fields.Number(&p.WeightUser),
		"weight_project":                  fields.Number(&p.WeightProject),
		"weight_department":               fields.Number(&p.WeightDepartment),
		"weight_job":                      fields.Number(&p.WeightJob),
		"weight_tickets_functional":       fields.Count(&p.FunctionalTickets),
		"weight_tickets_share":            fields.Count(&p.ShareTreeTickets),
		"share_override_tickets":          fields.Bool(&p.ShareOverrideTickets),
		"share_functional_shares":         fields.Bool(&p.ShareFunctionalShares),
		"max_functional_jobs_to_schedule": fields.Count(&p.MaxFunctionalJobs),
		"report_pjob_tickets":             fields.Bool(&p.ReportPendingTickets),
		"max_pending_tasks_per_job":       fields.Count(&p.MaxPendingTasks),
		"halflife_decay_list":             fields.Parsed(&p.HalfLives, parseHalfLives).With(usageWords),
		"policy_hierarchy":                optional(&p.Hierarchy).As("hierarchy"),
		"weight_ticket":                   fields.Number(&p.WeightTicket),
		"weight_waiting_time":             fields.Number(&p.WeightWaitingTime),
		"weight_deadline":                 fields.Number(&p.WeightDeadline),
		"weight_urgency":                  fields.Number(&p.WeightUrgency),
		"weight_priority":                 fields.Number(&p.WeightPriority),
		"max_reservation":                 integer(&p.MaxReservation),
		"default_duration":                interval(&p.DefaultDuration),
	}
}

// parseQueueSort reads a word, or its number in files of classic spooling.
func parseQueueSort(value string) (string, error) {
	switch value {
	case "":
		return "", errMissing
	case "0":
		return "load", nil
	case "1":
		return "seqno", nil
	}
	return value, nil
}

// parseParams reads the list of params. Commas, semicolons and blanks separate its elements.
func parseParams(value string) []model.Setting { return parseSettings(value, ",;"+blanks) }

// parseHalfLives reads "cpu=MINUTES:mem=MINUTES…". Like the master, it only needs a number at the beginning of
// the minutes.
func parseHalfLives(value string) (all []model.HalfLife, err error) {
	half, err := parseAmounts(value, ":")
	for _, h := range half {
		every := h.Value * float64(time.Minute)
		if math.Abs(every) >= float64(model.Forever) {
			return nil, fmt.Errorf("%s: %w", h.Name, errRange)
		}
		all = append(all, model.HalfLife{Name: h.Name, Every: time.Duration(every)})
	}
	return all, err
}
