package fairshare

import "qprism/engine/model"

// EntityOf is the name of the entity that a job of a snapshot is charged to, see EntityName.
func EntityOf(p model.FairsharePolicy, j *model.Job) string {
	queue := ""
	if j.PBS != nil {
		queue = j.PBS.Queue
	}
	return EntityName(p.Entity, func(name string) string { return attribute(j, name) }, queue)
}

// attribute is the value of those attributes of a job that name somebody.
func attribute(j *model.Job, name string) string {
	switch name {
	case "euser":
		return j.Owner
	case "egroup":
		return j.Group
	case "Account_Name":
		return j.Account
	case "project":
		return j.Project
	}
	return ""
}

// EntityName is the entity that a job is charged to, by fairshare_entity: the value of the job's attribute
// with that name, or the name of its queue. The documented words are euser, egroup, Account_Name, queue and
// egroup:euser. The scheduler logs other words as errors, but obeys a word that names an attribute, such as
// project. A job without this attribute is charged to "egroup:euser". If the word names no attribute, all
// jobs are charged to "egroup:euser".
func EntityName(entity string, attribute func(name string) string, queue string) string {
	if entity == "queue" {
		return queue
	}
	if value := attribute(entity); value != "" {
		return value
	}
	return attribute("egroup") + ":" + attribute("euser")
}
