// Package portstest reserves a stand's ports for a test.
package portstest

import (
	"testing"

	"brew.example/course/ports"
)

// Reserve returns the first of the ports that ports.Reserve finds, the test's own until it
// ends.
func Reserve(t testing.TB) int {
	t.Helper()
	first, release, err := ports.Reserve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(release)
	return first
}
