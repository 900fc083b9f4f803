// Package importer brings a feed into the stream: it compares what the feed says with the stream's last state of each vehicle,
// appends what changed and confirms the rest. Start reading at importer.go; plan.go decides, publish.go appends, confirm.go confirms,
// lease.go lets one import of a tenant run at a time.
package importer
