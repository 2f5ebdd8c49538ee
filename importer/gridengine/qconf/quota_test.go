package qconf

import (
	"testing"

	"qprism/engine/model"
	"qprism/importer/gridengine/expect"
)

func TestQuotaSetsAreReadRuleByRule(t *testing.T) {
	any := model.QuotaFilter{}
	expect.Same(t, "sets", mustRead(t, readQuotas, "rqs.txt", readFile(t, "odd/rqs.txt")).Quotas, []model.QuotaSet{
		{Name: "r2", Description: "a long, odd = text", Rules: []model.QuotaRule{
			{
				Name:   "rule1",
				Users:  model.QuotaFilter{Set: true, Each: true, Include: []string{"u1", "@a1"}, Exclude: []string{"u2"}},
				Hosts:  model.QuotaFilter{Set: true, Each: true, Include: []string{"@top"}},
				Limits: []model.Setting{{Name: "slots", Value: "$num_proc*2"}, {Name: "lic", Value: "3"}},
			},
			{
				Users:    model.QuotaFilter{Set: true, Include: []string{"u1"}, Exclude: []string{"u2"}},
				Projects: model.QuotaFilter{Set: true, Each: true, Include: []string{"*"}},
				PEs:      model.QuotaFilter{Set: true, Exclude: []string{"*"}},
				Queues:   model.QuotaFilter{Set: true, Include: []string{"a.q"}, Exclude: []string{"low.q"}},
				Hosts:    model.QuotaFilter{Set: true, Include: []string{"@slow"}},
				Limits:   []model.Setting{{Name: "mem1", Value: "1G"}, {Name: "slots", Value: "1"}},
			},
			{
				Name:   "x1",
				Users:  model.QuotaFilter{Set: true, Each: true, Include: []string{"*"}},
				Limits: []model.Setting{{Name: "slots", Value: "7"}, {Name: "t1", Value: "3600"}},
			},
		}},
		{Name: "r4", Enabled: true, Rules: []model.QuotaRule{
			{Users: model.QuotaFilter{Set: true, Include: []string{"u1"}}, Projects: any,
				Limits: []model.Setting{{Name: "lic", Value: "3"}}},
		}},
		{Name: "r3", Enabled: true, Rules: []model.QuotaRule{
			{Users: model.QuotaFilter{Set: true, Exclude: []string{"*"}}, Limits: []model.Setting{{Name: "slots", Value: "0"}}},
		}},
	})
}

func quotaText(rule string) string {
	return "{\n   name q\n   enabled TRUE\n   limit " + rule + "\n}\n"
}

func TestEveryFormOfAQuotaRule(t *testing.T) {
	slots := []model.Setting{{Name: "slots", Value: "1"}}
	for text, want := range map[string]model.QuotaRule{
		"to slots=1": {Limits: slots},
		"users { a, b ,!c } to slots=1": {Users: model.QuotaFilter{Set: true, Each: true, Include: []string{"a", "b"},
			Exclude: []string{"c"}}, Limits: slots},
		"users a, b to slots=1": {Users: model.QuotaFilter{Set: true, Include: []string{"a", "b"}}, Limits: slots},
		"users a ,b to slots=1": {Users: model.QuotaFilter{Set: true, Include: []string{"a", "b"}}, Limits: slots},
		"users to to slots=1":   {Users: model.QuotaFilter{Set: true, Include: []string{"to"}}, Limits: slots},
		"users hosts hosts x to slots=1": {Users: model.QuotaFilter{Set: true, Include: []string{"hosts"}},
			Hosts: model.QuotaFilter{Set: true, Include: []string{"x"}}, Limits: slots},
		"users {@a}to slots=1": {Users: model.QuotaFilter{Set: true, Each: true, Include: []string{"@a"}}, Limits: slots},
		"to slots = 1":         {Limits: slots},
		"to slots=$num_proc*2 + 3.5-$lic, mem=1G": {Limits: []model.Setting{{Name: "slots", Value: "$num_proc*2+3.5-$lic"},
			{Name: "mem", Value: "1G"}}},
	} {
		expect.Same(t, text, mustRead(t, readQuotas, "rqs.txt", quotaText(text)).Quotas[0].Rules, []model.QuotaRule{want})
	}
}
