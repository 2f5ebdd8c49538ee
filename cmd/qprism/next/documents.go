package next

import (
	"qprism/cmd/qprism/show"
)

// Documents are the JSON types of this group's commands.
var Documents = []show.Document{
	{Command: "plan", Of: jsonPlan{}},
	{Command: "plan --compare", Of: jsonPlanComparison{}},
	{Command: "why", Of: jsonWhy{}},
	{Command: "forecast", Of: jsonForecast{}},
	{Command: "what-if", Of: jsonWhatIf{}},
	{Command: "what-if --since", Of: jsonReplay{}},
	{Command: "sweep", Of: jsonSweep{}},
	{Command: "intend", Of: jsonIntend{}},
	{Command: "intend --since", Of: jsonIntendPast{}},
}
