package ru

import (
	"maps"

	"brew.example/internal/msg"
)

func init() {
	msg.Add(replication)
	maps.Copy(russian, replication) // for the test of the whole module
}

// replication is what 01-03 says.
var replication = map[string]string{
	"topic to watch":          "за каким топиком следить",
	"pause between two looks": "пауза между двумя опросами",
	"look once and stop":      "опросить один раз и завершиться",
	"watch for this time, such as 2m (0: no limit)": "сколько времени следить, например 2m " +
		"(0: без предела)",
	"the embedded stand is one process and copies no record: its ISR is always full and its " +
		"leaders stay; a real Kafka: `make down`, then `COURSE_STAND=java make up`": "" +
		"встроенный стенд - один процесс и записей не копирует: его ISR всегда полный, лидеры " +
		"не меняются; настоящая Kafka: `make down`, затем `COURSE_STAND=java make up`",
	"note: %v\n":                  "замечание: %v\n",
	"broker %s does not answer":   "брокер %s не отвечает",
	"broker %s answers again":     "брокер %s снова отвечает",
	"the partitions have changed": "партиции изменились",
	"no broker answers":           "ни один брокер не отвечает",
	"topic %s does not exist: `make topic-create` makes it": "топика %s нет: его создаёт " +
		"`make topic-create`",
	"topic %s: %w": "топик %s: %w",

	"topic to write to": "в какой топик писать",
	"who must have a record: all in-sync replicas, or 1, the leader": "у кого должна быть " +
		"запись: all - у всех синхронных реплик, 1 - у лидера",
	"flag --acks cannot be %s: all or 1": "флаг --acks не может быть %s: all или 1",
	"how many records to write":          "сколько записей записать",
	"not acknowledged: %d of %d":         "не подтверждено: %d из %d",

	"topic whose leaders to elect":     "в каком топике выбрать лидеров",
	"nobody elects leaders for %s: %w": "выбрать лидеров для %s некому: %w",
	"nobody elects leaders for %s now; it takes a controller, and so a majority of the " +
		"brokers (see `make broker-ls`)": "выбрать лидеров для %s сейчас некому; нужен " +
		"контроллер, а значит, большинство брокеров (см. `make broker-ls`)",
}
