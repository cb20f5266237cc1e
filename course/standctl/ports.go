package standctl

import (
	"brew.example/course/ports"
	"brew.example/internal/stand"
)

// Ports returns the ports of a stand whose first one is given.
func Ports(first int) []int {
	list := make([]int, stand.Brokers)
	for i := range list {
		list[i] = first + i
	}
	return list
}

// ProbeLocal says which of the ports is taken.
func ProbeLocal(list []int) error { return ports.Probe(loopback, list) }
