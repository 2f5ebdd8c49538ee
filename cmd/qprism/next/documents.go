package next

import (
	"qprism/cmd/qprism/show"
)

// Documents are the JSON types of this folder's commands.
var Documents = []show.Document{
	{Command: "plan", Of: jsonPlan{}},
	{Command: "plan --compare", Of: jsonPlanComparison{}},
	{Command: "why", Of: jsonWhy{}},
	{Command: "forecast", Of: jsonForecast{}},
}
