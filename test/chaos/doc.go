// Package chaos holds the promise of a lead, exactly once, against faults. It runs every service twice as processes of their own,
// a NATS server or a cluster of three and a Postgres server, submits leads as many agents do, and meanwhile kills and pauses
// processes and breaks connections by a schedule that a seed gives. At the end everything works again, and what the agents were
// told is compared with what the log holds.
//
// Start reading at chaos_test.go, which is a run from its start to its verdict. cluster.go has the processes, faults.go the schedule,
// cases.go what agents do, check.go the rules.
package chaos
