package records

import (
	"strings"

	"qprism/engine/model"
)

// maxFurther limits the lines of one message.
const maxFurther = 20

// readMessagesFile reads the scheduler's lines of the messages file: time|thread|host|level|text, in local
// time. Newer releases add a number to the thread. A line of another form continues the previous text.
func readMessagesFile(r *reader) error {
	scheduler := false // the last line with a time was of the scheduler
	further := 0       // number of lines that continued its text
	return r.EachLine("messages", func(_ int, text []byte) error {
		line, ok := r.traceLine(string(text))
		switch trace := &r.Snap.Trace; {
		case ok:
			if scheduler = line.scheduler; scheduler {
				*trace = append(*trace, line.TraceLine)
			}
			further = 0
		case scheduler && further < maxFurther:
			(*trace)[len(*trace)-1].Text += "\n" + string(text)
			further++
		}
		return nil
	})
}

// A threadLine is a line of the messages file.
type threadLine struct {
	model.TraceLine
	scheduler bool
}

func (r *reader) traceLine(text string) (l threadLine, ok bool) {
	f := strings.SplitN(text, "|", 6)
	if len(f) < 5 {
		return l, false
	}
	at, err := r.ParseLocal(f[0])
	if err != nil {
		return l, false
	}
	l.At = at
	switch thread := strings.TrimSpace(f[1]); thread {
	case "schedu": // cut to six characters
		l.scheduler, l.Text = true, strings.Join(f[4:], "|")
	case "scheduler":
		l.scheduler, l.Text = true, f[len(f)-1]
	}
	return l, true
}
