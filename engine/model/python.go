package model

import (
	"fmt"
	"strings"
)

// PythonText writes JSON for a raw Python string in three single quotes, in plain ASCII. Other characters
// become JSON escapes. So names of jobs, users and queues never become code of a hook.
func PythonText(json []byte) string {
	var b strings.Builder
	for _, r := range string(json) {
		switch {
		case r == '\'':
			b.WriteString(`\u0027`)
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		case r > '~':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
