package msgtest

import (
	"testing"

	"brew.example/internal/msg"
)

func TestRussianOfThisModule(t *testing.T) { Check(t, "../..", msg.Own) }
