package explain

// Coarse lets flip points be looked for as among many jobs, until the function that it returns is called.
func Coarse() (undo func()) {
	before := manyJobs
	manyJobs = 0
	return func() { manyJobs = before }
}
