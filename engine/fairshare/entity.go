package fairshare

// EntityName is the name of the entity that a job is charged to, by fairshare_entity: the value of the job's attribute
// of that name, or the name of its queue. Documented are euser, egroup, Account_Name, queue and egroup:euser; the
// scheduler logs other words as errors and obeys them where they name an attribute, as project does. A job that lacks
// the attribute is charged to "egroup:euser", both as attributes; so is every job where the word names none.
func EntityName(entity string, attribute func(name string) string, queue string) string {
	if entity == "queue" {
		return queue
	}
	if value := attribute(entity); value != "" {
		return value
	}
	return attribute("egroup") + ":" + attribute("euser")
}
