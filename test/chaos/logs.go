package chaos

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// forbidden is what no process may log: the end of a process by a fault in it, or a customer's value.
var forbidden = regexp.MustCompile(strings.Join(append([]string{
	`panic`, `DATA RACE`, `fatal error:`, `SIGSEGV`,
}, quoted(Canaries)...), "|"))

func quoted(texts []string) []string {
	var all []string
	for _, text := range texts {
		all = append(all, regexp.QuoteMeta(text))
	}
	return all
}

// ScanLogs returns the lines of the logs in a directory that are forbidden, the first few of each.
func ScanLogs(dir string) ([]string, error) {
	const shown = 3
	files, err := filepath.Glob(filepath.Join(dir, "*.log"))
	if err != nil {
		return nil, err
	}
	var bad []string
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 16<<20)
		for n, found := 1, 0; lines.Scan() && found < shown; n++ {
			if forbidden.MatchString(lines.Text()) {
				bad, found = append(bad, fmt.Sprintf("%s:%d: %s", file, n, lines.Text())), found+1
			}
		}
		if err := lines.Err(); err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
	}
	return bad, nil
}
