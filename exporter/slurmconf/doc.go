// Package slurmconf writes how Slurm orders jobs: lines of slurm.conf(5), the script of the job_submit/lua
// plugin, the accounts and users that "sacctmgr load" reads (sacctmgr(1), "FLAT FILE DUMP AND LOAD"), their
// usage, and what users submit with.
//
// Its files:
//   - slurmconf.go: the files of the cluster
//   - submit.go: what users submit with: the table of options, and qsub.py
//
// job_submit.lua, usage.py and qsub.py are what runs there.
package slurmconf
