package pbs

import (
	"context"
	"strings"
	"time"

	"qprism/exporter"
)

// whose are the owners of jobs and their times of submission, which qstat prints in local time: the same text for the same job on the same
// host.
func whose(ctx context.Context, r exporter.Runner, jobs []string) (map[string]string, error) {
	all, err := read(ctx, r)
	if err != nil {
		return nil, err
	}
	return whoseOf(all, jobs), nil
}

// whoseOf are the owners and times of some of all jobs.
func whoseOf(all map[string]listed, jobs []string) map[string]string {
	list := map[string]string{}
	for _, id := range jobs {
		if j, there := all[id]; there {
			owner, _, _ := strings.Cut(j.Owner, "@")
			list[id] = exporter.Whose(owner, wallClock(j.Submitted))
		}
	}
	return list
}

// wallClock writes a time as ctime(3) prints it in the form of exporter.WhoseJobs; empty for what is none.
func wallClock(text string) string {
	at, err := time.Parse(time.ANSIC, text)
	if err != nil {
		return ""
	}
	return at.Format("2006-01-02T15:04:05")
}

// Whose asks for owners and times.
func (Resource) Whose(ctx context.Context, r exporter.Runner, jobs []string) (map[string]string, error) {
	return whose(ctx, r, jobs)
}

// Whose asks for owners and times.
func (Swaps) Whose(ctx context.Context, r exporter.Runner, jobs []string) (map[string]string, error) {
	return whose(ctx, r, jobs)
}

// Whose asks for owners and times.
func (Starts) Whose(ctx context.Context, r exporter.Runner, jobs []string) (map[string]string, error) {
	return whose(ctx, r, jobs)
}
