// Package resource compares the requests of jobs with the resources of a place, by complex(5).
//
// A Layer is a place with resources: the global host, a host, a queue instance, a parallel environment, or a
// counter of a quota rule. It has configured values, load values, and a Use for each consumable: the amount
// in use now and over time. An Offer is the free amount of an attribute. Matches compares a Request with an
// Offer.
//
//   - complex.go: Attribute is an entry of the complex; Request; the relations of complex(5)
//   - layer.go: Layer, its capacities, load and uses; Offer; Result says whether and when there is enough
package resource
