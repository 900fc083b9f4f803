// Package eventlog is the LEADS stream: it opens and checks it, appends the first event of a lead once whoever else tries, and
// finds and reads events. Subjects are lead.v1.<tenant>.<event>. Start reading at append.go.
package eventlog
