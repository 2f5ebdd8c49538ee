package qstat_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/importer/gridengine"
	"qprism/importer/gridengine/bundle"
	"qprism/importer/gridengine/expect"
	"qprism/importer/gridengine/qstat"
	"qprism/importer/gridengine/sample"
)

func TestQueueInstancesShowTheirState(t *testing.T) {
	snap := sample.With(t, map[string]string{"qstat-f.xml": sample.QueueList})
	expect.Same(t, "an instance that is not configured", snap.Instances, []model.QueueInstance{{
		Name: "all.q@Node01", Queue: "all.q", Host: "Node01", Type: "BATCH INTERACTIVE", Slots: 8,
		Used: 1, Reserved: 2, State: "au", Listed: true,
		Load: []model.LoadValue{
			{Name: "arch", Dominance: "hl", Value: "lx-amd64"},
			{Name: "slots", Dominance: "qc", Value: "7"},
			{Name: "load_avg", Value: "1.06006"},
		},
	}})
	r := bundle.New(expect.Bundle(map[string]string{"qstat-f.xml": sample.QueueList}), gridengine.Options{})
	r.Snap.Instances = []model.QueueInstance{{Name: "all.q@node01", Slots: 4}, {Name: "all.q@node02", Slots: 4}}
	if err := qstat.ReadCluster(r); err != nil {
		t.Fatal(err)
	}
	i := r.Snap.Instances[0]
	expect.Same(t, "a configured one, its host's name in capitals",
		fmt.Sprintf("%s %d %d %s %v %d %v", i.Name, i.Slots, i.Used, i.State, i.Listed, len(r.Snap.Instances),
			r.Snap.Instances[1].Listed),
		"all.q@node01 4 1 au true 2 false")
}

func TestHostsShowTheirLoad(t *testing.T) {
	snap := sample.With(t, map[string]string{"qhost.xml": sample.QhostList})
	expect.Same(t, "hosts", snap.Hosts, []model.Host{
		{Name: "global", Load: []model.LoadValue{{Name: "license", Dominance: "gc", Value: "4.000000"}}},
		{Name: "node01", Values: []model.Setting{{Name: "num_proc", Value: "8"}}},
	})
	expect.Same(t, "instances", snap.Instances, []model.QueueInstance{{
		Name: "all.q@node01", Queue: "all.q", Host: "node01", Type: "BATCH INTERACTIVE", Slots: 9,
		Used: 2, State: "d", Listed: true,
	}})
	expect.Same(t, "unknown", snap.Unknown,
		[]model.Unknown{{File: "qhost.xml", Line: 16, Name: "queuevalue new", Value: "x", Count: 1}})
}

func TestQstatCountsMoreThanQhost(t *testing.T) {
	snap := sample.With(t, map[string]string{"qhost.xml": sample.QhostList, "qstat-f.xml": sample.QueueList})
	i := snap.Instances[0]
	expect.Same(t, "one instance, by qstat -f", fmt.Sprintf("%d %d %s", len(snap.Instances), i.Used, i.State), "1 1 au")
}

// The list lacks what each was granted. One that ended between the two calls is not known to the second.
func TestWhatReservationsWereGrantedTakesThePlaceOfTheirLines(t *testing.T) {
	full := strings.Replace(sample.Text(t, forms+"/forms", "qrstat-ar.xml"), "</qrstat>",
		"<ar_unknown><id>9</id></ar_unknown></qrstat>", 1)
	list := strings.Replace(sample.Text(t, forms+"/forms", "qrstat.xml"), "</qrstat>",
		"<ar_summary><id>9</id><state>r</state></ar_summary></qrstat>", 1)
	snap := sample.With(t, map[string]string{"qrstat.xml": list, "qrstat-ar.xml": full})
	var got []string
	for _, ar := range snap.Reserved {
		got = append(got, fmt.Sprintf("%d %s %d", ar.Number, ar.State, len(ar.Granted)))
	}
	expect.Same(t, "reservations", got, []string{"1 w 1", "2 w 1", "9 r 0"})
	expect.Same(t, "unknown", snap.Unknown, nil)
	if slices.Contains(snap.Missing, "qrstat-ar.xml") ||
		slices.Contains(sample.With(t, map[string]string{"qrstat.xml": list}).Missing,
			"qrstat-ar.xml") {
		t.Error("a bundle of a cluster without reservations is said to lack the file about them")
	}
}

func TestReservationsAreRead(t *testing.T) {
	zone := time.Date(2026, 11, 21, 11, 0, 0, 0, time.UTC)
	for name, full := range map[string]bool{"qrstat.xml": false, "qrstat-ar.xml": true} {
		snap := sample.With(t, map[string]string{"MANIFEST": "utc_offset +0200\n",
			"qrstat.xml": sample.Text(t, forms+"/forms", name)})
		if len(snap.Reserved) != 2 || len(snap.Unknown) != 0 {
			t.Fatalf("%s: got %+v, %v", name, snap.Reserved, snap.Unknown)
		}
		one, two := snap.Reserved[0], snap.Reserved[1]
		expect.Same(t, name, fmt.Sprintf("%d %s %s %s %v %v", one.Number, one.Name, one.Owner, one.State,
			one.End.Sub(one.Start), one.Duration),
			"1 ar_one root w 10m0s 10m0s")
		if one.Start.Sub(zone) < 0 || one.Start.Sub(zone) > time.Hour {
			t.Errorf("%s: starts at %v", name, one.Start)
		}
		if !full {
			continue
		}
		expect.Same(t, "granted", one.Granted, []model.Grant{{Instance: "all.q@node01", Slots: 3}})
		expect.Same(t, "pe", one.PE, "fill")
		expect.Same(t, "requests", fmt.Sprint(one.Requests), "[{h_rt 300 300 NaN}]")
		expect.Same(t, "the rest", two.Settings, []model.Setting{
			{Name: "group", Value: "sgeadmin"}, {Name: "account", Value: "sge"}, {Name: "mail_options", Value: "b"},
			{Name: "acl_list", Value: "usera"}, {Name: "xacl_list", Value: "userb"},
		})
	}
}

func TestAReservationsNameMayHoldAnAmpersand(t *testing.T) {
	snap := sample.With(t, map[string]string{
		"qrstat.xml": "<qrstat><ar_summary><id>1</id><name>R&D</name></ar_summary></qrstat>",
	})
	expect.Same(t, "name", snap.Reserved[0].Name, "R&D")
}

func TestAnErrorInClusterFilesSaysWhere(t *testing.T) {
	for name, c := range map[string]struct{ file, text, want string }{
		"slots": {"qstat-f.xml", strings.Replace(sample.QueueList, ">8<", ">x<", 1),
			`qstat-f.xml:9: queue instance all.q@Node01: slots_total: invalid syntax: "x"`},
		"no name": {"qstat-f.xml", strings.Replace(sample.QueueList, "<name>all.q@Node01</name>", "", 1),
			"qstat-f.xml:15: queue instance : name: missing"},
		"tasks": {"qstat-f.xml", strings.Replace(sample.QueueList, "</Queue-List>",
			"<job_list><tasks>a</tasks></job_list></Queue-List>", 1),
			"tasks: a range"},
		"used": {"qhost.xml", strings.Replace(sample.QhostList, ">2<", ">-2<", 1),
			`qhost.xml:12: host node01: queuevalue: invalid syntax: "-2"`},
		"no host": {"qhost.xml", "<qhost><host></host></qhost>", "qhost.xml:1: host : name: missing"},
		"a duration": {"qrstat.xml", "<qrstat><ar_summary><id>1</id><duration>long</duration></ar_summary></qrstat>",
			`advance reservation 1: duration: invalid syntax: "long"`},
		"a grant": {"qrstat.xml",
			"<qrstat><ar_summary><id>1</id><granted_slots_list><granted_slots " +
				"slots='x'/></granted_slots_list></ar_summary></qrstat>",
			`slots: invalid syntax: "x"`},
		"a time": {"qrstat.xml",
			"<qrstat><ar_summary><id>1</id><start_time>2026-13-01T00:00:00</start_time></ar_summary></qrstat>",
			"start_time: a time"},
		"another root": {"qhost.xml", "<qstat></qstat>", "<qhost> is expected, not <qstat>"},
	} {
		t.Run(name, func(t *testing.T) {
			bundle := expect.Bundle(map[string]string{"qstat.xml": sample.Qstat(), c.file: c.text})
			err := expect.Fault(gridengine.Read(bundle, gridengine.Options{}))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
			if snap, err := gridengine.Read(bundle, gridengine.Options{KeepGoing: true}); err != nil || len(snap.LeftOut) != 1 {
				t.Errorf("keeping on: %v, left out %v", err, snap.LeftOut)
			}
		})
	}
}
