package subject

// OpenPBS is OpenPBS or PBS Professional. Torque's listings are read too, but its scheduler is different.
type OpenPBS struct{ *Subject }
