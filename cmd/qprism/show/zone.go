package show

import (
	"slices"
	"strings"
	"time"
)

// zonedColumns adds the time zone to the columns of moments, for people.
func (o Output) zonedColumns(s Sheet) []Column {
	columns := slices.Clone(s.Columns)
	for i := range columns {
		if zones := o.zonesIn(s, i); len(zones) > 0 {
			columns[i].Name += " (" + strings.Join(zones, ", ") + ")"
		}
	}
	return columns
}

// zonesIn are the zones of a column of moments with their day; none of any other column.
func (o Output) zonesIn(s Sheet, i int) (zones []string) {
	in := o.Zone
	if in == nil {
		in = time.UTC
	}
	for _, row := range s.Rows {
		if row[i] == "" {
			continue
		}
		t, err := time.ParseInLocation(time.DateTime, row[i], in)
		if err != nil {
			return nil
		}
		if zone := t.Format("MST"); !slices.Contains(zones, zone) {
			zones = append(zones, zone)
		}
	}
	return zones
}
