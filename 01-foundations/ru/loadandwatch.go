package ru

import (
	"maps"

	"brew.example/internal/msg"
)

func init() {
	msg.Add(loadAndWatch)
	maps.Copy(russian, loadAndWatch) // what the test looks through
}

// loadAndWatch is what the program of 01-04 says.
var loadAndWatch = map[string]string{
	"topic to write to and watch, made if missing": "в какой топик писать и за каким следить; " +
		"если его нет, он будет создан",
	"consumer group whose committed offsets to show": "группа консьюмеров, чьи закоммиченные " +
		"оффсеты показывать",
	"retention.ms of a new topic, 1s or more": "retention.ms нового топика, не меньше 1s",
	"segment.ms of a new topic, 1s or more":   "segment.ms нового топика, не меньше 1s",
	"pause between two looks":                 "пауза между двумя опросами",
	"write ten more orders after each look": "после каждого опроса писать ещё " +
		"десять заказов",
	"delete the topic with its records first": "сначала удалить топик вместе с записями",
	"orders to write at first (0: only watch)": "сколько заказов записать сначала (0: только " +
		"следить)",
	"watch for this time, such as 2m (0: no limit)": "сколько времени следить, например 2m " +
		"(0: без предела)",
	"flag --retention cannot be %s: 1s or more, such as 1m": "флаг --retention не может быть %s: " +
		"нужно не меньше 1s, например 1m",
	"flag --segment cannot be %s: 1s or more, such as 1m": "флаг --segment не может быть %s: " +
		"нужно не меньше 1s, например 1m",
	"delete topic %s: %w": "не получается удалить топик %s: %w",
	"orders written: %d; watching, Ctrl+C to exit.\n": "записано заказов: %d; следим, " +
		"Ctrl+C - выход.\n",
	"write to %s: %w":             "запись в %s: %w",
	"committed offsets of %s: %w": "закоммиченные оффсеты группы %s: %w",
	"first offsets of %s: %w":     "первые оффсеты %s: %w",
	"end offsets of %s: %w":       "последние оффсеты %s: %w",
}
