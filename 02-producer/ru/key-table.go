package ru

import (
	"maps"

	"brew.example/internal/msg"
)

func init() {
	msg.Add(keyTable)
	maps.Copy(russian, keyTable) // what the test looks through
}

var keyTable = map[string]string{
	"a key, as often as you like": "ключ; флаг можно повторять",
}
