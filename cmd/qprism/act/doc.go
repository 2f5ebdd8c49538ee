// Package act holds the commands that change a cluster: push, drive, serve and run. Beside them are doctor, which tries a set-up, and init,
// which makes one.
//
// Its files:
//   - control.go: control is this process as one who changes a cluster
//   - doctor.go: A verdict is how a step does
//   - doctor_steps.go: examineStore sees whether the store can be written, and how much room its disk has
//   - documents.go: Documents are what the commands of this group print in JSON
//   - drive.go: A driver makes steps
//   - drive_claims.go: showClaims shows what a drive took and --release --apply would give back
//   - drive_own.go: own says which jobs are driven
//   - drive_pbs.go: stepPBS makes a step of a PBS server
//   - drive_plan.go: A drivePlan is what the jobs that are driven shall have
//   - drive_report.go: A driveReport is a step in JSON
//   - drive_rest.go: rest waits until the next step is due
//   - drive_rules.go: readRules reads a site's rules
//   - drive_step.go: step makes one step before its deadline
//   - group.go: Group are the commands of this folder
//   - init.go: runInit looks at a cluster and writes the configuration of serve
//   - init_file.go: initAnswers are what a configuration is made of
//   - init_words.go: what init says, and the file that it writes
//   - push.go: pushOnce plans a push from one snapshot, and shows or sends it
//   - push_back.go: pushesInForce are all pushes to the cluster that is reached with their orders, the oldest first
//   - push_json.go: A jsonOrder is an order in JSON
//   - push_order.go: wantedBy is the order of --order or --policy
//   - push_pbs.go: steeringPBS plans a push to PBS
//   - push_plan.go: A pushPlan is what a push would send
//   - push_policy.go: programTime is how long an external program may take to say which order is wanted
//   - push_run.go: A shellRunner runs commands in one shell, which the first of them starts
//   - push_stored.go: stored is the push that --undo or --resume is about
//   - push_words.go: print shows what would be sent, and why it is no more
//   - run.go: taskNames are the tasks that a configuration knows
//   - serve.go: A server is a running serve
//   - serve_acts.go: A pageActor does what somebody asks for on the page
//   - serve_acts_back.go: giving back what drives hold, asked for on the page
//   - serve_alerts.go: An alert is something that somebody should know now
//   - serve_audit.go: audit recomputes the last run of the newest snapshot and keeps the figures
//   - serve_capture.go: capture makes a bundle of the cluster and stores it
//   - serve_diff.go: diff compares, in the snapshots of the last hours or days, the expected order with the starts
//   - serve_drive.go: drive makes one step: what an earlier one left is settled, jobs are held, and those start that were decided
//   - serve_figures.go: keepFigures adds a line to a table of the cluster's reports, which begins with the names of its columns
//   - serve_health.go: listen answers on the health endpoint
//   - serve_intend.go: noteIntentions notes sentences that the newest snapshot breaks
//   - serve_page.go: showPage shows what is stored in a browser
//   - serve_push.go: push makes the scheduler's order equal the wanted one
//   - serve_systemd.go: tellSystemd tells systemd how serve does
//   - serve_tasks.go: A served cluster is one that tasks are about
package act
