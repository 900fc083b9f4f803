// Package eventlog is the LEADS stream: it opens and checks it, appends the first event under a key once whoever else tries, together
// with the appointment that it books, tells what is recorded under a key, and finds and reads events. Subjects are
// lead.v1.<tenant>.<event> and appointment.v1.<tenant>.<rooftop>.<department>.<date>. Start reading at append.go.
package eventlog
