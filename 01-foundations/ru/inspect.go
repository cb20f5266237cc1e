package ru

import (
	"maps"

	"brew.example/internal/msg"
)

func init() {
	msg.Add(inspect)
	maps.Copy(russian, inspect) // what the test looks through
}

var inspect = map[string]string{
	"topic to show, made if missing": "какой топик показать; если его нет, он будет создан",
	"partitions that the topic has or gets (-1: any)": "сколько партиций у топика есть или будет " +
		"(-1: сколько угодно)",
	"replication factor that it has or gets (-1: any)": "какой у него фактор репликации (-1: " +
		"любой)",
	"delete the topic with its records first": "сначала удалить топик вместе с записями",
	"topic %s created\n":                      "топик %s создан\n",
	"topic %s exists already\n":               "топик %s уже есть\n",
	"topic %s deleted with its records\n":     "топик %s удалён вместе с записями\n",
	"topic %s stays, a new one would be refused: %w": "топик %s остаётся: новый создать не " +
		"выйдет: %w",
	"delete topic %s: %w": "не получается удалить топик %s: %w",
	"topic %s: %w":        "топик %s: %w",
}
