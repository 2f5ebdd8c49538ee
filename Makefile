# make demo          build, audit a recording of a real cluster, and say why a job starves (needs Go and a C compiler)
# make demo-page     the page in a browser, over recordings of real clusters, and a month for which one of them is played on
# make install       bin/qprism and scripts/qprism-gate below PREFIX (/usr/local), DESTDIR before it; make uninstall
# make package       dist/: static programs, .deb, .rpm and .tar.gz for amd64 and arm64, SHA256SUMS, lists of components
# make check-package builds the packages twice and compares them, and tries them where sites are (Debian, as root): scripts/package/check.sh
# make quick         what was changed since the last commit, in less than a minute: for every save
# make test          everything: format, vet, staticcheck, all tests, the live ones included
# make judged        plans of the recordings against what their masters did, by scripts/judge.py, which shares no code with ours:
#                    RECORDINGS=folders or archives of more runs
# make conformance   N random scenarios against a real master: N=100 SEED=1 KEEP=folder for what does not agree;
#                    KIND=priority compares every number that it prints, KIND=dispatch what it starts and reserves for, KIND=exotic the same with
#                    advance reservations, calendars, exclusive hosts and what else few sites have, from each bundle alone,
#                    KIND=forecast when jobs start that wait for each other, KIND=usage whose jobs start under a share tree in USAGE (62m), KIND=never which of the jobs that wait can never run, with qalter -w v,
#                    RELEASE=9.1 OCS=/opt/ocs: against Open Cluster Scheduler, or 6.2u5, that is installed there, of that release (KIND=priority, dispatch),
#                    KIND=slurm compares sprio of a real Slurm, and migrates all recordings to one
# make conformance-pbs  N random policies, from SEED on, on the private OpenPBS of this host, all of whose jobs it deletes: SERVER=its name;
#                    compares each cycle in order, starts, vnodes and comments with the plan, and its audit (scripts/draw-pbs.py says what it needs); KIND=preempt: jobs preempt others
# make faults        all faults in the middle of a push to a real master; serve is killed KILLS times (100) at random instants; 1,001 jobs are pushed
# make trial         serve beside the native scheduler on twin masters: TRIAL=8m KIND=order, rules, faults, pbs or pbsfaults, WAITING=50 SEED=7 KEEP=folder (docs/how-to/external-scheduler.md)
# make attack        damages and hostile words, so many of each: ATTACK_KILLS (serve, while it pushes to a real master), ATTACK_CORRUPTIONS (of a store),
#                    ATTACK_IMPORTS (killed), ATTACK_MUTATIONS (of bundles), ATTACK_COMMANDS (at each mode of qprism-gate); imports are killed, hostile names go through push and drive
# make mutants       plants faults in the engine and tells what notices them: the table of docs/explanation/accuracy.md; RECORDINGS=folders of more runs
# make bench         the benchmarks
# make bench-live    a run of a real master with JOBS (10,000) waiting jobs on HOSTS (200) beside ours at the same moment: times, and the same starts;
#                    then whole commands on its bundles, which KEEP=folder keeps
# make bench-gentle  what a capture costs a real master with JOBS waiting jobs on HOSTS, beside qstat -f -u '*', and how long another client waits
# make bench-year    a store of a year of a cluster with 300 jobs in YEAR (bin/year.db), made or continued (more than an hour), and what is asked of it
# make bench-serve   DURATION (30m) of qprism serve with twenty Grid Engine clusters, 300 to 50,000 jobs each: its processor and memory, and how late its tasks are
# make sweep         a sweep of 200 policies as an array job on a real execution host, some tasks of which are killed
# make soak          half an hour of qprism serve against a real master: SOAK=30m CADENCE=1m MARGIN=0; fails if it leaks
# make fuzz          each fuzz target, FUZZTIME inputs or as long as that (300000x, 30s)

KIND     ?= priority
N        ?= 100
SEED     ?= 1
FUZZTIME ?= 300000x
SOAK     ?= 30m
KILLS    ?= 100
JOBS     ?= 10000
HOSTS    ?= 200
TRIAL    ?= 8m
USAGE    ?= 62m
WAITING  ?= 50
DURATION ?= 30m
ATTACK_KILLS       ?= 4
ATTACK_CORRUPTIONS ?= 200
ATTACK_IMPORTS     ?= 200
ATTACK_MUTATIONS   ?= 60
ATTACK_COMMANDS    ?= 100
CADENCE  ?= 1m
MARGIN   ?= 0
GO       ?= go
PREFIX   ?= /usr/local
DEMO      = fixtures/gridengine/8.1.9-essc-departments.tar.gz/run2/after
PAGE      = cmd/qprism/view
STARVED   = fixtures/gridengine/starvation-8.1.9.tar.gz
export CGO_ENABLED = 1
# another clone finds compiled what this one has
export GOFLAGS ?= -trimpath

.PHONY: all build package check-package install uninstall demo demo-page quick test tests fuzzed judged vetted check checked types tools conformance conformance-pbs faults trial attack mutants bench bench-live bench-gentle bench-year bench-serve sweep fuzz soak
all: build

build:
	$(GO) build -o bin/qprism ./cmd/qprism

package:
	GO=$(GO) scripts/package/build.sh

check-package:
	GO=$(GO) scripts/package/check.sh

install: build
	install -D -m 755 bin/qprism $(DESTDIR)$(PREFIX)/bin/qprism
	install -D -m 755 scripts/qprism-gate $(DESTDIR)$(PREFIX)/sbin/qprism-gate

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/qprism $(DESTDIR)$(PREFIX)/sbin/qprism-gate

demo: build
	bin/qprism audit $(DEMO)
	@echo
	bin/qprism priorities $(DEMO) --view ext
	@echo
	bin/qprism priorities $(DEMO) --view urg
	@echo
	bin/qprism why 5 $(STARVED)/without/start
	@echo
	bin/qprism forecast $(STARVED)/with/start

# the month is made once, in ten seconds
demo-page: build bin/month.db
	bin/qprism import --store bin/month.db $(STARVED)/without/start $(STARVED)/without/end \
		$(foreach run,run1 run2 run3,$(DEMO:/run2/after=)/$(run)/after) \
		$(foreach step,before after later final,fixtures/pbs/23.06.06-fairshare-tree-ncpus-walltime.tar.gz/$(step)) >/dev/null
	bin/qprism db analyse --store bin/month.db >/dev/null
	bin/qprism view --store bin/month.db

bin/month.db: $(wildcard cmd/month/*)
	rm -f $@
	$(GO) run ./cmd/month $@

quick:
	@GO=$(GO) scripts/quick.sh

# tests take less processor with fewer collections, and more memory; live ones wait much, so the checkers and fuzz targets run beside them
test: export GOGC ?= 400
test: tools vetted
	$(MAKE) -j3 tests fuzzed checked judged

# a program that shares no code with ours compares plans with what real masters did
judged: build
	scripts/judge.py --starts 1 --lines 1 bin/qprism $(filter-out %vectors.jsonl.gz,$(wildcard fixtures/gridengine/*.tar.gz)) $(RECORDINGS)

# compiles what all others need, too
vetted:
	$(GO) vet ./...

tests:
	$(GO) test -vet off -ldflags=-w -timeout 40m ./...

fuzzed:
	nice scripts/fuzz.sh 1000x

check: vetted checked

# what the other checkers say
checked:
	@test -z "$$(gofmt -l .)" || { echo "gofmt would change:"; gofmt -l .; exit 1; }
	$(GO) tool staticcheck ./...
	$(GO) mod tidy -diff
	@$(MAKE) --no-print-directory types

# types of the page's scripts, by TypeScript from npm; it changes no file
types:
	@test -x $(PAGE)/node_modules/.bin/tsc || npm ci --silent --no-audit --no-fund --prefix $(PAGE) || \
		{ echo "there is no TypeScript: npm ci --prefix $(PAGE)"; exit 1; }
	$(PAGE)/node_modules/.bin/tsc -p $(PAGE)

# installs what the live tests need, where that is possible, and says what will not run where it is not
tools:
	@scripts/install-test-tools.sh

conformance_priority = TestRealMasterConforms -conformance.n $(N) -conformance.open 0 -conformance.excused 0.005
conformance_dispatch = TestRealMasterDispatchesAsPlanned -dispatch.n $(N)
conformance_never = TestRealMasterAgreesWhichJobsCanNeverRun -never.n $(N)
conformance_slurm = TestRealSlurm -slurm.n $(N) -slurm.seed $(SEED)
conformance_forecast = TestRealMasterStartsWhenForecast -forecast.n $(N)
conformance_usage = TestRealMasterKeepsTheShareTreeAsForecast -usage.time $(USAGE)
conformance_exotic = TestRealMasterDispatchesTheExoticAsPlanned -exotic.n $(N) -exotic.tasks 0.95 -exotic.lines 0.9

# masters of Open Cluster Scheduler and of 6.2u5 are started from the folder OCS, those of Grid Engine 8.1.9 from the packages of Debian
conformance: export QPRISM_OCS = $(if $(filter-out 8.1.9,$(RELEASE)),$(abspath $(OCS)))
conformance: export QPRISM_RELEASE = $(filter-out 8.1.9,$(RELEASE))
conformance: KEEP ?= $(if $(filter exotic,$(KIND)),bin/exotic)
conformance: build
	@test -z "$(filter-out 8.1.9,$(RELEASE))" || test -x "$$(ls -d $(OCS)/bin/*/sge_qmaster | head -n 1)" || \
		{ echo "RELEASE=$(RELEASE) needs OCS=the folder where Open Cluster Scheduler is installed, with bin/ARCH/sge_qmaster"; exit 1; }
	@test -n "$(conformance_$(KIND))" || { echo "KIND is priority, dispatch, exotic, forecast, usage, never or slurm, not $(KIND)"; exit 1; }
	$(GO) test ./cmd/qprism/conformance -count 1 -v -timeout 6h -parallel 6 -run $(conformance_$(KIND)) -conformance.seed $(SEED) $(if $(KEEP),-conformance.keep $(abspath $(KEEP)))
	$(if $(filter exotic,$(KIND)),scripts/judge.py bin/qprism $(KEEP))
	$(if $(filter slurm,$(KIND)),$(GO) test ./cmd/qprism/policy -count 1 -v -timeout 6h -run TestRealSlurm -slurm.recordings 1000 -slurm.more "$(RECORDINGS)")

# bundles and logs are kept in KEEP
conformance-pbs: KEEP ?= bin/pbs
conformance-pbs: build
	KIND=$(KIND) QPRISM=bin/qprism python3 scripts/draw-pbs.py "$(SERVER)" $(KEEP) $(SEED) $$(($(SEED) + $(N)))

faults:
	$(GO) test ./cmd/qprism/act -count 1 -v -timeout 6h -run 'ARealPush|HostileNames|FairshareOrder|NoFaultOfADrive|AnyCut' -faults.kills $(KILLS) -faults.jobs 1001 -faults.all

trial:
	$(GO) test ./cmd/qprism/act -count 1 -v -timeout 24h -run TestTrial -trial $(TRIAL) -trial.kind $(if $(filter-out priority,$(KIND)),$(KIND),order) \
		-trial.waiting $(WAITING) -trial.seed $(SEED) $(if $(NATIVE),-trial.native "$(NATIVE)" -trial.driven "$(DRIVEN)") \
		$(if $(KEEP),-trial.keep $(abspath $(KEEP)))

# each package knows its own counts only
attack:
	$(GO) test ./adapters/sqlite -count 1 -v -timeout 6h -run 'Attack|Killed' -attack.corruptions $(ATTACK_CORRUPTIONS) -attack.imports $(ATTACK_IMPORTS)
	$(GO) test ./cmd/qprism -count 1 -v -timeout 6h -run 'Attack|ACountThatAFileStates' -attack.mutations $(ATTACK_MUTATIONS) -attack.whole
	$(GO) test ./adapters/ssh -count 1 -v -timeout 6h -run 'Attack|Gate' -attack.commands $(ATTACK_COMMANDS)
	$(GO) test ./cmd/qprism/act -count 1 -v -timeout 6h -run 'IsKilledAtAnyInstant|HostileNames' -faults.kills $(ATTACK_KILLS)

# RECORDINGS are archives or folders of runs, besides those of 8.1.9 in fixtures
mutants:
	$(GO) run ./cmd/mutants $(filter-out %vectors.jsonl.gz,$(wildcard fixtures/gridengine/8.1.9-*.tar.gz)) $(RECORDINGS)

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

YEAR ?= bin/year.db
bench-year: build
	scripts/year.sh $(YEAR) 20 300 105120

bench-serve: build
	$(GO) build -o bin/sizing ./cmd/sizing
	scripts/bench-serve.py $(DURATION)

bench-live:
	$(GO) test ./cmd/qprism/conformance -count 1 -v -timeout 6h -run TestARealRunIsMeasured -live.jobs $(JOBS) -live.hosts $(HOSTS) $(if $(KEEP),-live.keep $(abspath $(KEEP))) $(if $(FROM),-live.from $(abspath $(FROM)))

bench-gentle:
	$(GO) test ./cmd/qprism/conformance -count 1 -v -timeout 6h -run TestACaptureIsGentle -live.jobs $(JOBS) -live.hosts $(HOSTS)

sweep:
	$(GO) test ./cmd/qprism/trial -count 1 -v -timeout 1h -run TestASweepAsAnArrayJob -sweep.policies 200

fuzz:
	scripts/fuzz.sh $(FUZZTIME)

# jobs come, run and end meanwhile; goroutines, descriptors and memory are measured at each cadence
soak:
	$(GO) test ./cmd/qprism/act -count 1 -v -timeout 24h -run TestServeDoesNotLeak -soak $(SOAK) -soak.every $(CADENCE) -soak.margin $(MARGIN)
