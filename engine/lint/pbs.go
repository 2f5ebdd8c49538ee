package lint

func checkPBS(in Input) *Report { return &Report{} }
