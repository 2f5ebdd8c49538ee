package fairshare

import (
	"testing"
	"time"

	"qprism/engine/model"
)

func TestACloneIsTheSameAndItsOwn(t *testing.T) {
	at := time.Unix(1_700_000_000, 0)
	f := model.Fairshare{Policy: model.DefaultFairsharePolicy(),
		Groups: []model.ResourceGroup{{Name: "g", Group: 10, Parent: "root", Shares: 4},
			{Name: "a", Group: 11, Parent: "g", Shares: 1}}}
	m := Start(f, at)
	m.Entity("stranger").Raise(5)
	before := m.List("x")
	own := m.Clone()
	if own.List("x") != before || own.Find("a").Parent != own.Find("g") || own.Find("a") == m.Find("a") {
		t.Fatalf("not the same:\n%s\n%s", own.List("x"), before)
	}
	own.Entity("another")
	for n := own.Find("a"); n != nil; n = n.Parent {
		n.Usage += 100
	}
	if m.List("x") != before || m.Find("another") != nil {
		t.Errorf("the first one changed:\n%s", m.List("x"))
	}
	if own.List("x") == before {
		t.Error("the clone did not change")
	}
}
