package subject

import (
	"fmt"
	"os"
	"strings"

	"qprism/cmd/qprism/cli"
)

// JobFirst reads the arguments JOB [BUNDLE] of a command, in either order. If there is only a bundle, the error
// says that the job is missing.
func JobFirst(command string, args []string) ([]string, error) {
	switch {
	case !isBundle(args[0]):
		return args, nil
	case len(args) == 2 && !isBundle(args[1]):
		return []string{args[1], args[0]}, nil
	}
	_, closer, err := BundleAt(args[0])
	if err != nil {
		return nil, err
	}
	closer.Close()
	bundle := cli.BundleWord(args[0])
	return nil, fmt.Errorf("which job? qprism %s JOB %s; \"qprism priorities %s\" lists them", command, bundle, bundle)
}

// JobsFirst splits the arguments JOB... [BUNDLE], in any order, into jobs and bundle.
func JobsFirst(args []string) (jobs, bundle []string, err error) {
	for _, arg := range args {
		if isBundle(arg) {
			bundle = append(bundle, arg)
		} else {
			jobs = append(jobs, arg)
		}
	}
	if len(bundle) > 1 {
		return nil, nil, fmt.Errorf("one bundle at a time, not %s", strings.Join(bundle, " and "))
	}
	return jobs, bundle, nil
}

// isBundle reports whether an argument names a bundle rather than a job.
func isBundle(name string) bool {
	if strings.HasPrefix(name, ExampleMark) || strings.HasPrefix(name, LabMark) {
		return true
	}
	if strings.Trim(name, "0123456789.[]") == "" {
		return false
	}
	_, err := os.Stat(name)
	return err == nil || strings.Contains(name, "/") || strings.HasSuffix(name, ".tar.gz") ||
		strings.HasSuffix(name, ".tgz")
}
