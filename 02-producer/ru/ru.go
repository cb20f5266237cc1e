// Package ru holds what the programs of module 02 say in Russian. Import it for its
// effect: the texts are registered at start.
package ru

import "brew.example/internal/msg"

func init() { msg.Add(russian) }

// What several programs of the module say; each program has a file of its own beside this.
var russian = map[string]string{
	"give a record up after this time (0: never)": "" +
		"сколько ждать подтверждения, прежде чем сдаться (0: без предела)",
	"partitions of a new topic": "число партиций нового топика",
	"flag --timeout cannot be %s: 1s or more, or 0 for no limit": "" +
		"флаг --timeout не может быть %s: нужно не меньше 1s или 0 - без предела",
	"replication factor of a new topic": "фактор репликации нового топика",
	"read %s: %w":                       "чтение %s: %w",
	"flag --retries cannot be %d: 0 or more, or -1 for no limit": "" +
		"флаг --retries не может быть %d: нужно не меньше 0 или -1 - без предела",
	"topic to write to, made if missing": "в какой топик писать; если его нет, он будет создан",
}
