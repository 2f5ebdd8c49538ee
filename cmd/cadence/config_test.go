package cadence

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func load(t testing.TB, text string) (*Config, error) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "q.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(file, Checks{Policy: func(name string) error {
		if name != "fairshare" {
			return errors.New("no such policy")
		}
		return nil
	}, Own: func(jobs []string) error {
		if jobs[0] != "all" {
			return errors.New("no such jobs")
		}
		return nil
	}})
	if err != nil {
		err = errors.New(strings.ReplaceAll(err.Error(), dir+"/", ""))
	}
	return c, err
}

// TestTheExampleSaysWhatIsMeant reads the file that is given to administrators.
func TestTheExampleSaysWhatIsMeant(t *testing.T) {
	const file = "../../scripts/qprism.yaml"
	c, err := Load(file, Checks{})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Clusters) != 3 || c.Store.Prune == nil || c.Store.Prune.Keep != 60*24*time.Hour ||
		c.Health.Address != defaultHealth ||
		c.StopWithin != 30*time.Second {
		t.Errorf("%+v", c)
	}
	bonn, cologne := c.Clusters[0], c.Clusters[1]
	if bonn.Name != "bonn" || bonn.MayPush || bonn.MayDrive || bonn.Push != nil || bonn.Jitter != 20*time.Second ||
		bonn.Diff.Over != 24*time.Hour || bonn.Audit.Deadline != defaultDeadline {
		t.Errorf("%+v", bonn)
	}
	p := cologne.Push
	if !cologne.MayPush || cologne.MayDrive || p.Policy != "fairshare" || p.MaxChanges != 200 ||
		p.Deadline != 2*time.Minute ||
		cologne.Capture.Deadline != 5*time.Minute ||
		cologne.Capture.Accounting != 5 || cologne.Capture.Records != -1 || cologne.SSHConfig != "../../scripts/ssh_config" {
		t.Errorf("%+v", cologne)
	}
	if d := c.Clusters[2].Drive; !c.Clusters[2].MayDrive || len(d.Own) != 2 || d.Own[1] != "project=chem" {
		t.Errorf("%+v", c.Clusters[2])
	}
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.Local)
	if next := bonn.Diff.Schedule.Next(noon); !next.Equal(time.Date(2026, 11, 22, 0, 5, 0, 0, time.Local)) {
		t.Errorf("the day's diff is at %v", next)
	}
}

func TestMarginAndRulesAreTakenAsWritten(t *testing.T) {
	c, err := load(t, "clusters:\n  a:\n    allow: [push, drive]\n    push: {at: '@daily', policy: "+
		"fairshare, margin: 0.005, lock_dir: /srv}\n    drive: {at: '@daily', own: all, rules: "+
		"/srv/rules.yaml, watchdog: 40s, lock_dir: /srv}\n")
	if err != nil {
		t.Fatal(err)
	}
	if p, d := c.Clusters[0].Push, c.Clusters[0].Drive; p.Margin != 0.005 || d.Rules != "/srv/rules.yaml" ||
		d.Watchdog != 40*time.Second ||
		p.LockDir != "/srv" || d.LockDir != "/srv" {
		t.Errorf("%+v %+v", p, d)
	}
}

func TestWhatIsWrongInAFileIsNamedWithItsLine(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"an unknown key": {"clusters:\n  a:\n    captures: '@daily'\n",
			`q.yaml:3: cluster a has no "captures"; did you mean "capture"?`},
		"an unknown key, unlike any": {"speed: x\nclustres:\nfile: y\n",
			`q.yaml:1: the file has no "speed"; it has alerts, clusters, health, listen, log, reports, stop_within, store
q.yaml:2: the file has no "clustres"; did you mean "clusters"?
q.yaml:3: the file has no "file"; it has alerts, clusters, health, listen, log, reports, stop_within, store`},
		"a margin of what": {"clusters:\n  a:\n    allow: push\n    push: {at: '@daily', policy: fairshare, margin: 5}\n",
			`q.yaml:4: margin: give a distance in prio, such as 0.005`},
		"an unknown task": {"clusters:\n  a:\n    reboot: '@daily'\n",
			`q.yaml:3: cluster a has no "reboot"; it has allow, audit, capture, cluster, deadline, diff, drive, from, jitter, push, settings, ssh_config`},
		"an option of another task": {"clusters:\n  a:\n    audit: {at: '@daily', policy: fairshare}\n",
			`q.yaml:3: audit has no "policy"; it has at, deadline`},
		"a star without quotes": {"clusters:\n  a:\n    capture: */5 * * * *\n",
			`q.yaml:3: put a value that begins with "*" in quotes: "*/5 * * * *"`},
		"an at without quotes": {"clusters:\n  a:\n    capture: @daily\n",
			`q.yaml:3: put a value that begins with "@" in quotes: "@daily"`},
		"no YAML": {"clusters:\n  a: [\n", "q.yaml:2: did not find expected node content"},
		"a bad cron line": {"clusters:\n  a:\n    capture: 61 * * * *\n",
			`q.yaml:3: capture: "61 * * * *" is not a cron line such as "*/5 * * * *", "@daily" or "@every 90s": end of range (61) above maximum (59): 61`},
		"a cron line of four fields": {"clusters:\n  a:\n    capture: 0 * * *\n",
			`q.yaml:3: capture: "0 * * *" is not a cron line such as "*/5 * * * *", "@daily" or "@every 90s": expected 5 to 6 fields, found 4: [0 * * *]`},
		"a cron line that never happens": {"clusters:\n  a:\n    capture: 0 0 30 2 *\n",
			`q.yaml:3: capture: "0 0 30 2 *" never happens`},
		"a time zone alone": {"clusters:\n  a:\n    capture: TZ=Europe/Berlin\n",
			`q.yaml:3: capture: "TZ=Europe/Berlin" is not a cron line such as "*/5 * * * *", "@daily" or "@every 90s"`},
		"a number for a cron line": {"clusters:\n  a:\n    capture: 5\n",
			`q.yaml:3: capture: "5" is not a cron line such as "*/5 * * * *", "@daily" or "@every 90s"`},
		"a list for a cron line": {"clusters:\n  a:\n    capture: ['@daily']\n",
			`q.yaml:3: capture: want "key: value" lines, not a list`},
		"a task that is not at a time": {"clusters:\n  a:\n    capture: {full: true}\n",
			`q.yaml:3: capture: say when, such as at: "*/5 * * * *"`},
		"a task of nothing": {"clusters:\n  a:\n    capture:\n", `q.yaml:3: capture: want one value, not nothing`},
		"a wrong type": {"clusters:\n  a:\n    jitter: [1]\n    deadline: 5\n",
			"q.yaml:3: jitter: want one value, not a list\nq.yaml:4: deadline: \"5\" has no unit: 5s, 5m, 5h or 5d"},
		"a number out of range": {"clusters:\n  a:\n    capture: {at: '@daily', accounting: 1000}\n",
			`q.yaml:3: accounting: want a number from 0 to 999, not "1000"`},
		"neither yes nor no": {"clusters:\n  a:\n    capture: {at: '@daily', full: maybe}\n",
			`q.yaml:3: full: want true or false, not "maybe"`},
		"a key twice":     {"log: text\nlog: json\nclusters: {a: {}}\n", `q.yaml:2: "log" is already in line 1`},
		"a cluster twice": {"clusters:\n  a: {}\n  a: {}\n", `q.yaml:3: "a" is already in line 2`},
		"a cluster called like a path": {"clusters:\n  ../a: {}\n",
			`q.yaml:2: "../a" cannot be the name of a cluster: use letters, digits, dash, dot and underscore`},
		"a cluster called store": {"clusters:\n  store: {}\n", `q.yaml:2: a cluster cannot be called "store"`},
		"no cluster": {"log: json\n",
			`q.yaml:1: there is no cluster; write clusters: and below it a name with its settings`},
		"nothing":       {"", `q.yaml:1: the file is empty`},
		"two documents": {"clusters: {a: {}}\n---\nlog: json\n", `q.yaml:2: more than one document`},
		"a push that is not allowed": {"clusters:\n  a:\n    capture: '@daily'\n    push: {at: " +
			"'@daily', policy: fairshare}\n",
			`q.yaml:4: push changes the cluster a: set allow: push for it`},
		"a drive that is not allowed": {"clusters:\n  a:\n    allow: push\n    drive: {at: '@every 30s', own: all}\n",
			`q.yaml:4: drive changes the cluster a: set allow: drive for it`},
		"a drive of no jobs": {"clusters:\n  a:\n    allow: drive\n    drive: '@every 30s'\n",
			`q.yaml:4: drive: name the jobs to drive, such as {at: "@every 30s", own: user=anna}`},
		"a drive of unknown jobs": {"clusters:\n  a:\n    allow: [drive]\n    drive: {at: '@every 30s', own: [everything]}\n",
			`q.yaml:4: own: no such jobs`},
		"an unknown permission": {"clusters:\n  a:\n    allow: [push, root]\n",
			`q.yaml:3: allow: want push or drive, not "root"`},
		"a push without an order": {"clusters:\n  a:\n    allow: push\n    push: '@daily'\n",
			`q.yaml:4: push: name the wanted order, such as {at: "*/5 * * * *", policy: fairshare}`},
		"a push with two orders": {"clusters:\n  a:\n    allow: push\n    push: {at: '@daily', policy: " +
			"fairshare, order: f}\n",
			`q.yaml:4: push: give policy or order, not both`},
		"an unknown policy": {"clusters:\n  a:\n    allow: push\n    push:\n      at: '@daily'\n      policy: fairshere\n",
			`q.yaml:6: policy: no such policy`},
		"a prune that keeps nothing": {"store: {prune: '@daily'}\nclusters: {a: {}}\n",
			`q.yaml:1: prune: set how long snapshots are kept, such as keep: 30d`},
		"a page for everybody": {"listen: {listen: 0.0.0.0:8765, token_file: t}\nclusters: {a: {}}\n",
			`q.yaml:1: listen: other machines can reach 0.0.0.0:8765: set certificate and key, and token_file or users_file`},
		"a page with a certificate and no key": {"listen: {listen: 127.0.0.1:8765, certificate: c}\nclusters: {a: {}}\n",
			`q.yaml:1: listen: TLS needs certificate and key, and clients if clients must show a certificate`},
		"TLS by anybody": {"listen: {listen: 127.0.0.1:8765, https_header: X-Forwarded-Proto}\nclusters: {a: {}}\n",
			`q.yaml:1: listen: https_header is trusted only from a proxy: set token_file or clients`},
		"a header of anybody": {"listen: {listen: 127.0.0.1:8765, user_header: X-User}\nclusters: {a: {}}\n",
			`q.yaml:1: listen: user_header is trusted only from a proxy: set token_file or clients, and no users_file`},
		"privacy of nobody": {"listen: {listen: 127.0.0.1:8765, token_file: t, privacy: own}\nclusters: {a: {}}\n",
			`q.yaml:1: listen: privacy: own needs to know the user: set users_file, user_header or clients`},
		"privacy that hides from nobody": {"listen: {listen: 127.0.0.1:8765, users_file: u, privacy: " +
			"own, acts: true}\nclusters: {a: {}}\n",
			`q.yaml:1: listen: acts: true cannot be used with privacy: own: name the users who may act`},
		"acts of whoever comes": {"listen: {listen: 127.0.0.1:8765, acts: true}\nclusters: {a: {}}\n",
			`q.yaml:1: listen: acts needs a login, also on this machine: set token_file, users_file or clients`},
		"acts of names that are not known": {"listen: {listen: 127.0.0.1:8765, token_file: t, acts: [anna]}\nclusters: {a: {}}\n",
			`q.yaml:1: listen: acts with names needs to know the user: set users_file, user_header or clients`},
		"an address without a port": {"health: localhost\nclusters: {a: {}}\n",
			`q.yaml:1: health: want host:port, such as 127.0.0.1:8470, or none; not "localhost"`},
		"health for everybody": {"health: 0.0.0.0:8470\nclusters: {a: {}}\n",
			`q.yaml:1: health: other machines can reach 0.0.0.0:8470 without a login: set {listen: 0.0.0.0:8470, token_file: FILE}, or certificate, key and clients, or listen on 127.0.0.1:8470`},
		"health on all addresses": {"health: ':8470'\nclusters: {a: {}}\n",
			`q.yaml:1: health: other machines can reach :8470 without a login: set {listen: :8470, token_file: FILE}, or certificate, key and clients, or listen on 127.0.0.1:8470`},
		"health on half a TLS": {"health: {listen: '[::]:8470', certificate: c.pem, key: k.pem}\nclusters: {a: {}}\n",
			`q.yaml:1: health: TLS needs three files: certificate, key and clients (the authorities that sign client certificates)`},
		"several things at once": {"log: xml\nclusters:\n  a:\n    from: [x]\n    audit: daily\n    " +
			"push: {at: '@daily', polcy: fairshare}\n",
			`q.yaml:1: log: want text or json, not "xml"
q.yaml:4: from: want one value, not a list
q.yaml:5: audit: "daily" is not a cron line such as "*/5 * * * *", "@daily" or "@every 90s"
q.yaml:6: push has no "polcy"; did you mean "policy"?
q.yaml:6: push changes the cluster a: set allow: push for it`},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := load(t, c.text); err == nil || err.Error() != c.want {
				t.Errorf("got\n%v\nwant\n%s", err, c.want)
			}
		})
	}
}

// TestAnAliasStandsForWhatItNames: clusters that are alike need not be written twice.
func TestAnAliasStandsForWhatItNames(t *testing.T) {
	c, err := load(t, "clusters:\n  a: &alike\n    capture: '@daily'\n  b: *alike\n")
	if err != nil || len(c.Clusters) != 2 || c.Clusters[1].Name != "b" || c.Clusters[1].Capture == nil {
		t.Errorf("%v: %+v", err, c)
	}
}

// TestSnapshotsMayBePrunedByCron: how long they are kept is said without a time at which serve deletes them.
func TestSnapshotsMayBePrunedByCron(t *testing.T) {
	c, err := load(t, "store: {keep: 30d}\nclusters: {a: {}}\n")
	if err != nil || c.Store.Prune == nil || c.Store.Prune.Keep != 30*24*time.Hour || c.Store.Prune.Schedule != nil ||
		c.Store.Prune.Deadline != defaultDeadline {
		t.Errorf("%v: %+v", err, c)
	}
}

func TestHealthBeyondThisMachineNeedsAToken(t *testing.T) {
	for text, open := range map[string]bool{"127.0.0.1:1": true, "localhost:1": true, "'[::1]:1'": true, "none": true,
		"{listen: 0.0.0.0:1, token_file: t}":                      false,
		"{listen: 0.0.0.0:1, certificate: c, key: k, clients: a}": false} {
		c, err := load(t, "health: "+text+"\nclusters: {a: {}}\n")
		if err != nil || c.Health.Open() != open {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestManyErrorsAreCutShort(t *testing.T) {
	_, err := load(t, "clusters:\n  a:\n"+strings.Repeat("    ? x\n", 1)+strings.Repeat("    y: 1\n", 50))
	if err == nil || strings.Count(err.Error(), "\n") != 20 || !strings.HasSuffix(err.Error(), "and 31 more") {
		t.Errorf("%v", err)
	}
}

func TestAnEndlessFileIsRefused(t *testing.T) {
	if _, err := load(t, strings.Repeat("# long\n", mostBytes/7+1)); err == nil ||
		!strings.Contains(err.Error(), "longer than") {
		t.Errorf("%v", err)
	}
}

// FuzzLoad: whatever a file holds, reading it ends without a panic, and what is accepted has a name and a
// time for everything.
func FuzzLoad(f *testing.F) {
	example, err := os.ReadFile("../../scripts/qprism.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(example))
	f.Add("clusters:\n  a: &x\n    capture: TZ=\n    audit: CRON_TZ=x y\n  b: *x\n")
	f.Add("clusters: {a: {allow: push, push: {at: '@every 1ns', policy: fairshare}}}")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		file := filepath.Join(dir, "q.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Load(file, Checks{})
		if err != nil {
			return
		}
		for _, cl := range c.Clusters {
			if !clusterName.MatchString(cl.Name) {
				t.Errorf("a cluster is called %q", cl.Name)
			}
			if cl.Capture != nil && (cl.Capture.Schedule == nil || cl.Capture.Schedule.Next(
				time.Now()).IsZero()) || cl.Push != nil && !cl.MayPush {
				t.Errorf("%q was accepted", text)
			}
		}
	})
}

// TestThePageSaysWhoMayDoWhat reads who sees what, and who may act.
func TestThePageSaysWhoMayDoWhat(t *testing.T) {
	c, err := load(t, "listen: {listen: 127.0.0.1:8765, token_file: t, user_header: X-User, "+
		"https_header: X-Forwarded-Proto, privacy: own, see_all: ben, acts: [anna]}\nclusters: {a: {}}\n")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][2]bool{"anna": {true, true}, "ben": {true, false}, "cleo": {}, "": {}} {
		if got := [2]bool{c.Page.SeesAll(name), c.Page.MayAct(name)}; got != want {
			t.Errorf("%q sees all, may act: %v, not %v", name, got, want)
		}
	}
	c, err = load(t, "listen: {listen: 127.0.0.1:8765, token_file: t, acts: false}\nclusters: {a: {}}\n")
	if err != nil || c.Page.Acts() || c.Page.MayAct("") || !c.Page.SeesAll("") {
		t.Errorf("%+v: %v", c.Page, err)
	}
}

func TestTheFirstViewFollowsWhoIsSignedIn(t *testing.T) {
	auto := Endpoint{Actors: []string{"anna"}, SeeAll: []string{"ben"}}
	fixed := Endpoint{Opens: "why"}
	for name, want := range map[string]string{"": "cluster", "anna": "cluster", "ben": "cluster", "carl": "mine"} {
		if got := auto.First(name); got != want {
			t.Errorf("%q sees %s first, not %s", name, got, want)
		}
		if got := fixed.First(name); got != "why" {
			t.Errorf("%q sees %s first, not what is configured", name, got)
		}
	}
}
