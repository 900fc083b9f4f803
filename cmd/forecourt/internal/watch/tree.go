package watch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// top is the watched directory's path in its tree.
const top = "."

// file is a feed in the tree, as it was when it was looked at.
type file struct {
	tenant    string
	dir, name string // dir is a path in the tree
	info      fs.FileInfo
}

// path is the file's path in the tree.
func (f file) path() string { return filepath.Join(f.dir, f.name) }

// is says whether another look saw the very same file, unchanged.
func (f file) is(now fs.FileInfo) bool {
	return os.SameFile(f.info, now) && f.info.Size() == now.Size() && f.info.ModTime().Equal(now.ModTime())
}

// tree reads the watched directory. It opens it anew every time, so that one that was mounted or made again is found.
type tree struct {
	dir, tenant string
	validTenant func(string) bool
}

// path is where a directory of the tree is.
func (t tree) path(dir string) string { return filepath.Join(t.dir, dir) }

// directories returns the directories that hold feeds, and the names of what lies where no feed belongs.
func (t tree) directories() (dirs, strays []string, err error) {
	if t.tenant != "" {
		_, err := os.Stat(t.dir)
		return []string{top}, nil, err
	}
	entries, err := os.ReadDir(t.dir)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		switch {
		case temporary(e.Name()):
		case e.IsDir() && t.validTenant(e.Name()) && e.Name() != importedDir && e.Name() != failedDir:
			dirs = append(dirs, e.Name())
		default:
			strays = append(strays, e.Name())
		}
	}
	return dirs, strays, nil
}

// files returns the feeds in a directory of the tree, whether complete or not. Only plain files count: a link could lead to the files
// of another tenant (R-TEN).
func (t tree) files(dir string) ([]file, error) {
	entries, err := os.ReadDir(t.path(dir))
	if err != nil {
		return nil, err
	}
	owner := t.tenant
	if owner == "" {
		owner = dir
	}
	var files []file
	for _, e := range entries {
		if !e.Type().IsRegular() || temporary(e.Name()) {
			continue
		}
		if info, err := e.Info(); err == nil { // else it has gone meanwhile
			files = append(files, file{tenant: owner, dir: dir, name: e.Name(), info: info})
		}
	}
	return files, nil
}

// unfinished are the ends of the names that programs give to files until they are complete.
var unfinished = []string{".tmp", ".part", ".filepart", "~"}

// temporary says whether a name is one that a program gives to a file of its own, or to one that it will rename.
func temporary(name string) bool {
	return strings.HasPrefix(name, ".") ||
		slices.ContainsFunc(unfinished, func(end string) bool { return strings.HasSuffix(strings.ToLower(name), end) })
}

// open opens a file that is still what it was when it was looked at; errChanged otherwise.
func (f file) open(root *os.Root) (*os.File, error) {
	in, err := root.Open(f.path())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errChanged
	}
	if err != nil {
		return nil, err
	}
	info, err := in.Stat()
	if err == nil && !f.is(info) { // or a link that has taken the name
		err = errChanged
	}
	if err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}
