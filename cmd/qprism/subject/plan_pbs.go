package subject

// OpenPBS is PBS, the open and the commercial one. Torque's listings are read too, but its scheduler is another one.
type OpenPBS struct{ *Subject }
