// Package ru holds what the programs of module 01 say in Russian. Import it for its
// effect: the texts are registered at start.
package ru

import "brew.example/internal/msg"

func init() { msg.Add(russian) }

var russian = map[string]string{
	// 01-05 first producer
	"topic to write to, made if missing": "в какой топик писать; если его нет, он будет " +
		"создан",
	"partitions of a new topic":               "число партиций нового топика",
	"replication factor of a new topic":       "фактор репликации нового топика",
	"how long a batch waits for more records": "сколько батч ждёт новых записей",
	"give a record up after this time (0: never)": "сколько ждать подтверждения, прежде чем " +
		"сдаться (0: без предела)",
	"pause after each record": "пауза после каждой записи",
	"sync waits for each record, async for all at the end, no-flush for none": "" +
		"sync ждёт подтверждения каждой записи, async - всех в конце, no-flush - ни одной",
	"flag --send cannot be %s: sync, async or no-flush": "флаг --send не может быть %s: нужно " +
		"sync, async или no-flush",
	"flag --linger cannot be %s: from 0s to 1m": "флаг --linger не может быть %s: нужно от 0s " +
		"до 1m",
	"flag --timeout cannot be %s: 1s or more, or 0 for no limit": "флаг --timeout не может " +
		"быть %s: нужно не меньше 1s или 0 - без предела",
	"topic %s: created=%t\n":         "топик %s: created=%t\n",
	"acknowledged: %d of %d in %s\n": "подтверждено: %d из %d за %s\n",
	"no acknowledgement: %w":         "нет подтверждения: %w",

	// 01-06 first consumer
	"topic to read": "какой топик читать",
	"read every topic whose name matches --topic": "" +
		"читать все топики, имена которых подходят под --topic",
	"consumer group to join": "группа консьюмеров, в которую войти",
	"join a new group: a random suffix on --group": "войти в новую группу: к --group добавится " +
		"случайный суффикс",
	"where to start without a committed offset: true the log's start, false its end": "" +
		"откуда читать, если нет закоммиченного оффсета: true - с начала лога, false - с конца",
	"kitchen-service started: brew-topic=%q group=%q member=%s from-start=%t\n": "" +
		"kitchen-service запущен: brew-topic=%q group=%q member=%s from-start=%t\n",
	"reading brew-orders; Ctrl+C to exit.\n": "читаем brew-orders; Ctrl+C - выход.\n",
	"records read: %d\n":                     "прочитано записей: %d\n",
	"kitchen-service stopped by a signal.\n": "kitchen-service остановлен по сигналу.\n",
}
