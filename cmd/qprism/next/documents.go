package next

import (
	"qprism/cmd/qprism/show"
)

// Documents are what the commands of this group print in JSON.
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
