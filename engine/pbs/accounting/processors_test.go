package accounting

import (
	"testing"

	"qprism/engine/model"
)

func TestProcessorsOfRecordsOfTorqueAreCounted(t *testing.T) {
	for fields, want := range map[[3]string]int{
		{"", "", "4:ppn=8"}:                    32,
		{"", "n/2+n/3", ""}:                    2,
		{"", "node0703/0-27", "1:ppn=28"}:      28,
		{"", "n/0,4-7+m/1", ""}:                6,
		{"", "", "2:ppn=4+n7:ppn=2:fast"}:      10,
		{"", "", "n7+n8"}:                      2,
		{"3", "", ""}:                          3,
		{"1", "n/0+n/1", "1:ppn=2"}:            2,
		{"", "", ""}:                           0,
		{"", "n/0-99999999999", ""}:            1,
		{"", "a/0*4000000000+b/0*4000000", ""}: 4000000,
	} {
		r := model.AccountingRecord{Type: "E", ID: "1.srv",
			Fields: []model.Setting{{Name: "Resource_List.ncpus", Value: fields[0]},
				{Name: "exec_host", Value: fields[1]},
				{Name: "Resource_List.nodes", Value: fields[2]}, {Name: "resources_used.mem", Value: "2048kb"},
				{Name: "resources_used.cput", Value: "01:00:00"}}}
		got := Ended([]model.AccountingRecord{r})[0]
		if got.Slots != want || got.MaxVMem != 2<<20 || got.CPU != 3600 {
			t.Errorf("%q: %d processors, %g bytes, %g s; want %d", fields, got.Slots, got.MaxVMem, got.CPU, want)
		}
	}
	ofPBS := model.AccountingRecord{Type: "E", ID: "1.srv",
		Fields: []model.Setting{{Name: "Resource_List.ncpus", Value: "8"}, {Name: "exec_host", Value: "n/0*4+m/0*4"},
			{Name: "exec_vnode", Value: "(n:ncpus=4)+(m:ncpus=4)"}}}
	if got := Ended([]model.AccountingRecord{ofPBS})[0]; got.Slots != 8 {
		t.Errorf("%d processors of a job of PBS", got.Slots)
	}
}
