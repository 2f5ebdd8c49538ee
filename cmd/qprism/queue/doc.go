// Package queue holds the commands that say why the queue is in its order: audit, priorities, shares, explain, compare, lint, formula and
// releases. A file is named after its command.
//
// Its files:
//   - audit.go: Audited loads what is selected, and audits it
//   - audit_releases.go: A fit says how well the rules of a release explain what a master printed
//   - compare.go: A compared pair of jobs is a comparison, with both explanations
//   - documents.go: Documents are what the commands of this group print in JSON
//   - explain.go: Describe says which job it is, and what it asks for where that is given
//   - explain_json.go: An explained job is an explanation, and what it is about
//   - explain_linear.go: A linearPlace is where a waiting job stands in the linear order of what-if, and what its value is made of
//   - explain_text.go: An explanationText prints explanations for people
//   - formula.go: formulaSnapshot loads the jobs to try
//   - group.go: Group are the commands of this folder
//   - lint.go: A linted policy is what it says and its traps, and of which cluster
//   - priorities.go: PrintPriorities prints the jobs of a subject in dispatch order
//   - releases.go: jsonRelease is a release as JSON
//   - shares.go: PrintShares prints the share tree of a subject
//   - shares_since.go: A period is what shares are asked for besides the last run
package queue
