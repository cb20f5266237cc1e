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

// ProbeLocal says which port of a stand that begins at first is taken.
func ProbeLocal(first int) error { return ports.Probe(loopback, Ports(first)) }
