package ru

import (
	"maps"
	"testing"

	"brew.example/internal/msg/msgtest"
)

func TestRussian(t *testing.T) {
	all := map[string]string{}
	for _, part := range []map[string]string{
		admin, brokerTexts, kill, standTexts, textTexts,
	} {
		maps.Copy(all, part)
	}
	msgtest.Check(t, "..", all)
}
