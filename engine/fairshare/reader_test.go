package fairshare_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
)

// files are those of the recordings of OpenPBS 23.06.06 that tell of fairshare, by path.
func files(t *testing.T) map[string][]byte {
	t.Helper()
	f, err := os.Open("../../fixtures/pbs/23.06.06-fairshare.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for archive := tar.NewReader(unzipped); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if all[h.Name], err = io.ReadAll(archive); err != nil {
			t.Fatal(err)
		}
	}
}

// snapshots are the folders that show what pbsfs -p printed.
func snapshots(all map[string][]byte) (folders []string) {
	for name := range all {
		if path.Base(name) == "pbsfs_p.txt" {
			folders = append(folders, path.Dir(name))
		}
	}
	slices.Sort(folders)
	return folders
}

// known is what the files of one folder tell the scheduler.
func known(t *testing.T, all map[string][]byte, folder string) model.Fairshare {
	t.Helper()
	f := model.Fairshare{Policy: options(t, all[folder+"/sched_config"]), Groups: groups(t, all[folder+"/resource_group"])}
	if data, ok := all[folder+"/usage"]; ok {
		f.Usage = usage(t, data)
	}
	return f
}

func groups(t *testing.T, data []byte) (list []model.ResourceGroup) {
	t.Helper()
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		list = append(list, model.ResourceGroup{Line: number, Name: fields[0], Group: int32(integer(t, fields[1])), Parent: fields[2], Shares: int32(integer(t, fields[3]))})
	}
	return list
}

func options(t *testing.T, data []byte) model.FairsharePolicy {
	t.Helper()
	p := model.DefaultFairsharePolicy()
	for line := range strings.Lines(string(data)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		value = strings.Trim(strings.TrimSpace(value), `"`)
		switch name {
		case "unknown_shares":
			p.UnknownShares = int32(integer(t, value))
		case "fairshare_usage_res":
			p.UsageResource = value
		case "fairshare_decay_time":
			p.DecayTime = clock(t, value)
		case "fairshare_decay_factor":
			p.DecayFactor = factor(t, value)
		}
	}
	return p
}

// usage reads the binary file, version 2.
func usage(t *testing.T, data []byte) model.FairshareUsage {
	t.Helper()
	if len(data) < 32 || len(data)%64 != 32 || !bytes.HasPrefix(data, []byte("PBS_MAG!\x00")) {
		t.Fatalf("usage file of %d bytes", len(data))
	}
	u := model.FairshareUsage{Version: float(data[16:])}
	if last := binary.LittleEndian.Uint64(data[24:]); last != 0 {
		u.LastDecay = time.Unix(int64(last), 0)
	}
	for r := range slices.Chunk(data[32:], 64) {
		name, _, _ := bytes.Cut(r[:50], []byte{0})
		u.Records = append(u.Records, model.EntityUsage{Name: string(name), Usage: float(r[56:])})
	}
	return u
}

func float(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }

func factor(t *testing.T, s string) float32 {
	t.Helper()
	f, err := strconv.ParseFloat(s, 32)
	if err != nil {
		t.Fatal(err)
	}
	return float32(f)
}

func integer(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// clock reads hours, minutes and seconds.
func clock(t *testing.T, s string) time.Duration {
	t.Helper()
	seconds := 0
	for part := range strings.SplitSeq(s, ":") {
		seconds = 60*seconds + integer(t, part)
	}
	return time.Duration(seconds) * time.Second
}
