package ru

import (
	"testing"

	"brew.example/internal/msg/msgtest"
)

func TestRussian(t *testing.T) { msgtest.Check(t, "..", russian) }
