package subject

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// A Progress is a progress bar on a terminal. It appears after a second.
type Progress struct {
	make   func() *progressbar.ProgressBar
	bar    *progressbar.ProgressBar
	start  time.Time
	done   int64
	hidden bool
}

// NewProgress makes a bar that counts units up to a total. A negative total is unknown.
func NewProgress(what string, unit progressbar.Option, total func() int64) *Progress {
	return &Progress{start: time.Now(), hidden: !term.IsTerminal(int(os.Stderr.Fd())),
		make: func() *progressbar.ProgressBar {
			return progressbar.NewOptions64(total(), progressbar.OptionSetWriter(os.Stderr), unit,
				progressbar.OptionSetDescription(what), progressbar.OptionClearOnFinish(),
				progressbar.OptionThrottle(100*time.Millisecond))
		}}
}

func (p *Progress) Add(n int64) {
	p.done += n
	if p.hidden || time.Since(p.start) < time.Second {
		return
	}
	if p.bar == nil {
		p.bar = p.make()
	}
	_ = p.bar.Set64(p.done)
}

func (p *Progress) Finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
