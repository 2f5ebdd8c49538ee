// Package resource decides whether a part of the cluster, such as a host, has enough resources for a job. The
// rules are in complex(5).
//
// A Layer is a part of the cluster with resources: the global host, a host, a queue instance, a parallel
// environment, or a counter of a quota rule. A Layer has configured values and load values. For each
// consumable, a Layer has a Use: the amount in use now and at later times. An Offer is the free amount of a
// resource attribute. The function Matches compares a Request with an Offer.
//
// Its files:
//   - complex.go: Attribute is an entry of the complex; Request; the relations of complex(5)
//   - layer.go: Layer, its capacities, load and uses; Offer; Result says whether and when there is enough
package resource
