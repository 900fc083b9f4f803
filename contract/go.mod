module forecourt.internal/contract

go 1.26.0
