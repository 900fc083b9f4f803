package command

import (
	"context"
	"errors"
	"io"
	"io/fs"
)

// stoppable is a feed of which no more is read when ctx is done.
type stoppable struct {
	ctx  context.Context
	feed io.Reader
}

func (s stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.feed.Read(p)
}

// Stat is the file's, so that whoever reads it knows how long it is.
func (s stoppable) Stat() (fs.FileInfo, error) {
	if file, ok := s.feed.(interface{ Stat() (fs.FileInfo, error) }); ok {
		return file.Stat()
	}
	return nil, errors.ErrUnsupported
}

// pump reads in the background, so that its reader need not wait for input that may never come when ctx is done.
func pump(ctx context.Context, in io.Reader) io.ReadCloser {
	out, to := io.Pipe()
	go func() {
		_, err := io.Copy(to, in)
		to.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { to.CloseWithError(ctx.Err()) })
	return out
}
