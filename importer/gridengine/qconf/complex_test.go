package qconf

import (
	"testing"

	"qprism/engine/model"
	"qprism/importer/gridengine/expect"
)

func TestEveryColumnOfTheComplexIsRead(t *testing.T) {
	s := mustRead(t, readComplex, "complex.txt", `#name  shortcut   type      relop requestable consumable default  urgency
#--------------------------------------------------------------------
slots               s          INT       <=    YES         YES        1        1000
d1                  d1         double    >=    y           n          0        1e3
excl                ex         BOOL      excl  YES         Y          0        -0.5
t1                  t1         TIME      <=    FORCED      J          0:0:0    0x64
rx                  rx1        RESTRING  !=    N           NO         NONE     0
gpu                 gpu        RSMAP     <=    YES         HOST       0        100
odd                 o          WORMHOLE  ~     MAYBE       SOMETIMES  0        0
# >#< starts a comment but comments are not saved across edits --------
`)
	expect.Same(t, "resources", s.Resources, []model.Resource{
		{Name: "slots", Shortcut: "s", Type: model.TypeInt, Relop: model.AtMost, Requestable: model.RequestYes,
			Consumable: model.ConsumeYes,
			Default:    "1", Urgency: "1000"},
		{Name: "d1", Shortcut: "d1", Type: model.TypeDouble, Relop: model.AtLeast, Requestable: model.RequestYes,
			Consumable: model.ConsumeNo,
			Default:    "0", Urgency: "1e3"},
		{Name: "excl", Shortcut: "ex", Type: model.TypeBool, Relop: model.Exclusive,
			Requestable: model.RequestYes, Consumable: model.ConsumeYes,
			Default: "0", Urgency: "-0.5"},
		{Name: "t1", Shortcut: "t1", Type: model.TypeTime, Relop: model.AtMost, Requestable: model.RequestForced,
			Consumable: model.ConsumeJob,
			Default:    "0:0:0", Urgency: "0x64"},
		{Name: "rx", Shortcut: "rx1", Type: model.TypeReString, Relop: model.NotEqual,
			Requestable: model.RequestNo, Consumable: model.ConsumeNo,
			Default: "NONE", Urgency: "0"},
		{Name: "gpu", Shortcut: "gpu", Type: model.TypeRSMap, Relop: model.AtMost, Requestable: model.RequestYes,
			Consumable: model.ConsumeHost,
			Default:    "0", Urgency: "100"},
		{Name: "odd", Shortcut: "o", Type: "WORMHOLE", Relop: "~", Requestable: "MAYBE", Consumable: "SOMETIMES",
			Default: "0", Urgency: "0"},
	})
	expect.Same(t, "unknown words", s.Unknown, []model.Unknown{
		{File: "complex.txt", Line: 9, Name: "type", Value: "WORMHOLE", Count: 1},
		{File: "complex.txt", Line: 9, Name: "relop", Value: "~", Count: 1},
		{File: "complex.txt", Line: 9, Name: "requestable", Value: "MAYBE", Count: 1},
		{File: "complex.txt", Line: 9, Name: "consumable", Value: "SOMETIMES", Count: 1},
	})
}
