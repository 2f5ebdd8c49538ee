// Package slurmconf writes the Slurm configuration that determines the job order. It writes these files:
//
//   - lines of slurm.conf(5)
//   - the script of the job_submit/lua plugin
//   - accounts and users for "sacctmgr load", sacctmgr(1)
//   - the usage of accounts and users
//   - programs for users
//
// Its files:
//   - slurmconf.go: the files of the cluster
//   - submit.go: files for users: the table of options, and qsub.py
//
// The other files of the package are job_submit.lua, usage.py and qsub.py. These programs run on the Slurm
// cluster.
package slurmconf
