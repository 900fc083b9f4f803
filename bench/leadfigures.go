package main

import (
	"time"

	"forecourt.internal/bench/internal/deployment"
)

// leadSubjects are the tables of the rounds: rates, latencies, and who took the processors.
func leadSubjects(rounds []leadRound, calls int) []Subject {
	leads := func(r leadRound) side { return r.leads }
	publishes := func(r leadRound) side { return r.publishes }
	commits := func(r leadRound) side { return r.commits }
	rate := func(s side) float64 { return s.rate }
	p50 := func(s side) float64 { return float64(s.p50) }
	p99 := func(s side) float64 { return float64(s.p99) }

	figure := func(name string, peer func(leadRound) side, value func(side) float64) Figure {
		f := Figure{Case: name, Size: calls, Ours: ofSide(rounds, leads, value), Theirs: ofSide(rounds, peer, value)}
		f.Ratio = f.Ours.Median / f.Theirs.Median
		return f
	}
	perCall := Subject{Name: "lead processors", Unit: "ns", Peer: "synced publish", Ratio: "share of all"}
	all := ofSide(rounds, leads, func(s side) float64 { return s.perCall("") }).Median
	for _, part := range deployment.Parts {
		taken := func(s side) float64 { return s.perCall(part) }
		f := figure(part, publishes, taken)
		f.Ratio = f.Ours.Median / all
		perCall.Figures = append(perCall.Figures, f)
	}
	return []Subject{
		{Name: "lead", Unit: "calls/s", Peer: "peer", Ratio: "of the peer's rate", Figures: []Figure{
			figure("beside synced publishes", publishes, rate), figure("beside commits of one row", commits, rate),
		}},
		{Name: "lead latency", Unit: "ns", Peer: "synced publish", Ratio: "times the publish's", Figures: []Figure{
			figure("median", publishes, p50), figure("99th percentile", publishes, p99),
		}},
		perCall,
	}
}

// ofSide is a value of one side over the rounds.
func ofSide(rounds []leadRound, which func(leadRound) side, value func(side) float64) Spread {
	values := make([]float64, len(rounds))
	for i, r := range rounds {
		values[i] = value(which(r))
	}
	return spreadOf(values, func(v float64) float64 { return v })
}

// perCall is the processor time of a part, or of all parts when it is "", per call in nanoseconds.
func (s side) perCall(part string) float64 {
	var taken time.Duration
	for name, t := range s.processors {
		if part == "" || name == part {
			taken += t
		}
	}
	calls := s.rate * s.took.Seconds()
	return float64(taken) / calls
}
