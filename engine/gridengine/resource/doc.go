// Package resource compares what jobs ask for with what a place has of it, by complex(5).
//
// A Layer is a place that has resources: the cluster as a whole, a host, a queue instance, a parallel
// environment, a counter of a quota rule. It has configured values, load values, and for each consumable a
// Use: the amount in use now, and a diagram of it over time. An Offer is what remains of an attribute, and
// Matches compares a Request with it.
//
//   - complex.go: Attribute is an entry of the complex; Request is what a job asks for of it; relations of
//     complex(5)
//   - layer.go: Layer, its capacities, load and uses; Offer; Result says whether and when there is enough
package resource
