package command

import (
	"cmp"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// work is a part of a long command's work, as its progress is shown.
type work struct {
	says    string // such as "reading"
	unit    string // what is counted, such as "events"
	inBytes bool   // instead of a unit
}

// progress shows on a terminal how far a command is. A nil one shows nothing.
type progress struct {
	out   io.Writer
	work  work
	total int64
	bar   *progressbar.ProgressBar
}

// newProgress returns nil where nobody watches: the error stream is no terminal, or machines read the output.
func newProgress(cmd *cobra.Command) *progress {
	out := cmd.ErrOrStderr()
	if !isTerminal(out) || wantsJSON(cmd) || os.Getenv("CI") != "" || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return &progress{out: out}
}

func isTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// show draws that done of total is done; total 0 is not known. It may be called as often as there is news.
func (p *progress) show(w work, done, total int64) {
	if p == nil {
		return
	}
	if p.bar == nil || p.work != w || p.total != total {
		p.clear()
		p.work, p.total, p.bar = w, total, p.newBar(w, cmp.Or(total, -1))
	}
	_ = p.bar.Set64(done) // a terminal that went away is no reason to stop working
}

// clear takes the bar off the screen, before anything else is printed.
func (p *progress) clear() {
	if p == nil || p.bar == nil {
		return
	}
	_ = p.bar.Finish()
	p.bar = nil
}

// newBar draws what has been done and how fast; of work that is not counted only that it goes on.
func (p *progress) newBar(w work, total int64) *progressbar.ProgressBar {
	options := []progressbar.Option{
		progressbar.OptionSetWriter(p.out), progressbar.OptionSetDescription(w.says), progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100 * time.Millisecond), progressbar.OptionClearOnFinish(), progressbar.OptionSetRenderBlankState(true),
	}
	switch {
	case w.inBytes:
		options = append(options, progressbar.OptionShowBytes(true), progressbar.OptionShowTotalBytes(total > 0))
	case total > 0:
		options = append(options, progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString(w.unit))
	}
	return progressbar.NewOptions64(total, options...)
}
