package feed

// Problem says what is wrong with a row of a feed and how to correct it. It holds no value of the feed except names of columns.
type Problem struct {
	File string `json:"file"`
	// Line is where the row begins, from 1.
	Line int `json:"line"`
	// Column is the header or member that is meant; "" is the whole row.
	Column     string `json:"column,omitempty"`
	Problem    string `json:"problem"`
	Correction string `json:"correction"`
	// Warning says that the row was taken nevertheless.
	Warning bool `json:"warning,omitempty"`
}

// badValue is why a value cannot be read.
type badValue struct{ problem, correction string }

func bad(problem, correction string) *badValue { return &badValue{problem, correction} }
