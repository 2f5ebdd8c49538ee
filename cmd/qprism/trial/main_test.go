package trial

import (
	"testing"

	"qprism/cmd/qprism/recorded"
)

func TestMain(m *testing.M) { recorded.Main(m, Group) }
