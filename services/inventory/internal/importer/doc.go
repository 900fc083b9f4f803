// Package importer brings a feed into the stream: it compares what the feed says with the stream's last state of each vehicle
// and appends what changed. Start reading at importer.go.
package importer
