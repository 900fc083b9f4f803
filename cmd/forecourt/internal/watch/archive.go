package watch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Where files go, beside where they were.
const (
	importedDir = "imported"
	failedDir   = "failed"
)

// archive moves a file to where it belongs after its import and returns its new path in the tree. The report is there before the
// file is, so that whoever sees the file finds it. It returns errChanged, and moves nothing, when the name is now another file's.
func archive(root *os.Root, f file, result Result, at time.Time) (string, error) {
	dir := filepath.Join(f.dir, importedDir)
	if result.Failed {
		dir = filepath.Join(f.dir, failedDir)
	}
	if err := makeDir(root, dir); err != nil {
		return "", err
	}
	to, err := freeName(root, dir, f.name, at)
	if err != nil {
		return "", err
	}
	report := to + ".report.json"
	if result.Report != nil {
		text, err := json.MarshalIndent(result.Report, "", "  ")
		if err != nil {
			return "", fmt.Errorf("encode the report: %w", err)
		}
		if err := root.WriteFile(report, append(text, '\n'), 0o644); err != nil {
			return "", err
		}
	}
	if err := f.move(root, to); err != nil {
		root.Remove(report)
		return "", err
	}
	return to, nil
}

// move gives the file another path. Its sender may have put a newer file in its place at any moment until then, so what has been moved
// is looked at afterwards, and put back when it is not this file.
func (f file) move(root *os.Root, to string) error {
	err := root.Rename(f.path(), to)
	if errors.Is(err, fs.ErrNotExist) {
		return errChanged
	}
	if err != nil {
		return err
	}
	moved, err := root.Lstat(to)
	if err != nil {
		return err
	}
	if f.is(moved) {
		return nil
	}
	if _, err := root.Lstat(f.path()); errors.Is(err, fs.ErrNotExist) { // else a still newer one is there
		if err := root.Rename(to, f.path()); err != nil {
			return fmt.Errorf("put back %s: %w", f.name, err)
		}
	}
	return errChanged
}

// makeDir makes a directory unless it is there. A link in its place could lead into the files of another tenant (R-TEN).
func makeDir(root *os.Root, dir string) error {
	if err := root.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := root.Lstat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no directory", dir)
	}
	return err
}

// freeName returns a path in a directory that nothing has: the name itself, or with a time before its extension.
func freeName(root *os.Root, dir, name string, at time.Time) (string, error) {
	ext := filepath.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	for try := filepath.Join(dir, name); ; at = at.Add(time.Millisecond) {
		_, err := root.Lstat(try)
		if errors.Is(err, fs.ErrNotExist) {
			return try, nil
		}
		if err != nil {
			return "", err
		}
		try = filepath.Join(dir, stem+"-"+at.UTC().Format("20060102T150405.000Z")+ext)
	}
}
