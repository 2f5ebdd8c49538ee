package qconf

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/importer/gridengine/bundle"
	"qprism/importer/gridengine/expect"
	"qprism/importer/source"
)

func TestEveryKeyOfTheSchedulerConfigurationHasItsField(t *testing.T) {
	got := mustRead(t, readSchedConf, "sched_conf.txt", `algorithm                         default
schedule_interval                 2:0:0
maxujobs                          3
queue_sort_method                 seqno
job_load_adjustments              np_load_avg=0.50,mem_free=1G
load_adjustment_decay_time        0:7:30
load_formula                      np_load_avg
schedd_job_info                   true
flush_submit_sec                  1
flush_finish_sec                  2
params                            MONITOR=1,PROFILE=1
reprioritize_interval             0:0:40
halftime                          168
usage_weight_list                 cpu=1.000000,mem=0.250000,io=0.000000
compensation_factor               5.000000
weight_user                       0.100000
weight_project                    0.200000
weight_department                 0.300000
weight_job                        0.400000
weight_tickets_functional         1000
weight_tickets_share              100000
share_override_tickets            TRUE
share_functional_shares           FALSE
max_functional_jobs_to_schedule   200
report_pjob_tickets               TRUE
max_pending_tasks_per_job         50
halflife_decay_list               cpu=60
policy_hierarchy                  OFS
weight_ticket                     0.010000
weight_waiting_time               0.020000
weight_deadline                   3600000.000000
weight_urgency                    0.030000
weight_priority                   0.040000
max_reservation                   20
default_duration                  8760:00:00
`)
	want := model.Policy{
		Algorithm: "default", ScheduleInterval: 2 * time.Hour, MaxUserJobs: 3, QueueSort: "seqno",
		LoadAdjustments:     []model.Setting{{Name: "np_load_avg", Value: "0.50"}, {Name: "mem_free", Value: "1G"}},
		LoadAdjustmentDecay: 7*time.Minute + 30*time.Second, LoadFormula: "np_load_avg", SchedulerJobInfo: "true",
		FlushSubmit: time.Second, FlushFinish: 2 * time.Second,
		Params:            []model.Setting{{Name: "MONITOR", Value: "1"}, {Name: "PROFILE", Value: "1"}},
		ReprioritizeEvery: 40 * time.Second, HalfTime: 168 * time.Hour,
		UsageWeights:       []model.Amount{{Name: "cpu", Value: 1}, {Name: "mem", Value: 0.25}, {Name: "io"}},
		CompensationFactor: 5, WeightUser: 0.1, WeightProject: 0.2, WeightDepartment: 0.3, WeightJob: 0.4,
		FunctionalTickets: 1000, ShareTreeTickets: 100000, ShareOverrideTickets: true,
		MaxFunctionalJobs: 200, ReportPendingTickets: true, MaxPendingTasks: 50,
		HalfLives: []model.HalfLife{{Name: "cpu", Every: time.Hour}}, Hierarchy: "OFS",
		WeightTicket: 0.01, WeightWaitingTime: 0.02, WeightDeadline: 3600000, WeightUrgency: 0.03, WeightPriority: 0.04,
		MaxReservation: 20, DefaultDuration: 8760 * time.Hour,
	}
	expect.Same(t, "policy", got.Policy, want)
	expect.Same(t, "unknown", got.Unknown, nil)
}

// policyText is a scheduler configuration with nothing but what it must have, and some further lines.
func policyText(lines ...string) string {
	return "halftime 168\nweight_user 0.25\nweight_project 0.25\nweight_department 0.25\nweight_job 0.25\n" +
		"weight_tickets_functional 0\nweight_tickets_share 0\npolicy_hierarchy OFS\nweight_ticket 0.5\n" +
		"weight_waiting_time 0\nweight_deadline 3600000\nweight_urgency 0.1\nweight_priority 1\n" +
		strings.Join(lines, "\n") + "\n"
}

func TestEveryFormOfTheSchedulerConfigurationsValues(t *testing.T) {
	for text, check := range map[string]func(model.Policy) bool{
		"default_duration INFINITY": func(p model.Policy) bool { return p.DefaultDuration == model.Forever },
		"schedule_interval 15":      func(p model.Policy) bool { return p.ScheduleInterval == 15*time.Second },
		"load_formula none":         func(p model.Policy) bool { return p.LoadFormula == "" },
		"load_formula slots+$x*2":   func(p model.Policy) bool { return p.LoadFormula == "slots+$x*2" },
		"schedd_job_info job_list 1-5": func(p model.Policy) bool {
			return p.SchedulerJobInfo == "job_list 1-5"
		},
		"job_load_adjustments NONE": func(p model.Policy) bool { return p.LoadAdjustments == nil },
		"params none":               func(p model.Policy) bool { return p.Params == nil },
		"params MONITOR=1;PROFILE=0 DURATION_OFFSET=2:0:0,X": func(p model.Policy) bool {
			return len(p.Params) == 4 && p.Params[2] == model.Setting{Name: "DURATION_OFFSET", Value: "2:0:0"} &&
				p.Params[3].Name == "X"
		},
		"halflife_decay_list none": func(p model.Policy) bool { return p.HalfLives == nil },
		"halflife_decay_list cpu=1440:mem=0:finished_jobs=-1:io=0.5": func(p model.Policy) bool {
			h := p.HalfLives
			return len(h) == 4 && h[0] == model.HalfLife{Name: "cpu", Every: 24 * time.Hour} && h[1].Every == 0 &&
				h[2].Every == -time.Minute && h[3].Every == 30*time.Second
		},
		"share_override_tickets 0": func(p model.Policy) bool { return !p.ShareOverrideTickets },
		"fair_urgency_list NONE": func(p model.Policy) bool {
			return p.Other[0] == model.Setting{Name: "fair_urgency_list", Value: "NONE"}
		},
	} {
		if got := mustRead(t, readSchedConf, "sched_conf.txt", policyText(text)).Policy; !check(got) {
			t.Errorf("%s: %s", text, expect.Show(got))
		}
	}
	none := strings.Replace(policyText(), "OFS", "NONE", 1)
	if p := mustRead(t, readSchedConf, "sched_conf.txt", none).Policy; p.Hierarchy != "" {
		t.Errorf("policy_hierarchy NONE is %q", p.Hierarchy)
	}
}

// TestAPolicyThatCannotBeReadIsNoneAtAll: with a line left out, nobody may take the other weights for zeros.
func TestAPolicyThatCannotBeReadIsNoneAtAll(t *testing.T) {
	r := bundle.New(expect.Bundle(map[string]string{"sched_conf.txt": policyText("weight_ticket 1x")}),
		source.Options{KeepGoing: true})
	err, s := errors.Join(Read(r), bundle.CheckFiles(r)), r.Snap
	if err != nil || len(s.LeftOut) != 1 || s.HasFile("sched_conf.txt") || !slices.Contains(s.Missing, "sched_conf.txt") {
		t.Errorf("%v: left out %v, has %v, lacks %v", err, s.LeftOut, s.Has, s.Missing)
	}
}
