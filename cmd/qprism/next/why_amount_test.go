package next

import (
	"testing"

	"qprism/engine/model"
)

// TestAmountsReadAsUsersWriteThem: memory has a unit, whole numbers no exponent.
func TestAmountsReadAsUsersWriteThem(t *testing.T) {
	for want, c := range map[string]struct {
		of model.ResourceType
		v  float64
	}{
		"2G": {model.TypeMemory, 2147483648}, "1.5G": {model.TypeMemory, 1.5 * (1 << 30)}, "512M": {model.TypeMemory, 512 << 20},
		"2gb": {model.TypePBSSize, 2 << 20}, "300kb": {model.TypePBSSize, 300}, "3000000": {model.TypeInt, 3e6}, "0.25": {model.TypeDouble, 0.25},
	} {
		if got := quantity(c.of, c.v); got != want {
			t.Errorf("%v of type %s is %s, not %s", c.v, c.of, got, want)
		}
	}
}
