package ru

import (
	"maps"

	"brew.example/internal/msg"
)

func init() {
	msg.Add(delivery)
	maps.Copy(russian, delivery) // what the test looks through
}

var delivery = map[string]string{
	"topic %s: %w":                           "топик %s: %w",
	"not acknowledged: failed=%d unknown=%d": "подтверждены не все записи: failed=%d unknown=%d",
	"not acknowledged: failed=%d unknown=%d; the first: %w": "подтверждены не все записи: " +
		"failed=%d unknown=%d; первая ошибка: %w",
	"%w; the limit: %s":                "%w; предел задаёт %s",
	"max.message.bytes of the topic":   "настройка топика max.message.bytes",
	"min.insync.replicas of the topic": "настройка топика min.insync.replicas",
}
