package ru

import (
	"maps"

	"brew.example/internal/msg"
)

func init() {
	msg.Add(keys)
	maps.Copy(russian, keys) // what the test looks through
}

var keys = map[string]string{
	"user: user-0, user-1, …; empty; none": "user: ключи user-0, user-1, …; empty: пустой; none: " +
		"без ключа",
	"how many records (1 to 100000)": "сколько записей (от 1 до 100000)",
	"partitions of the topic":        "сколько партиций у топика",
	"partitions after it has grown":  "сколько их станет",
	"write them, grow the topic, write them again": "писать по-настоящему: записать, добавить " +
		"партиций, записать снова",
	"flag --key cannot be %q: user, empty or none": "флаг --key не может быть %q: нужно user, " +
		"empty или none",
	"flag --key=none needs --write: without a key nothing can be foretold": "флагу --key=none " +
		"нужен --write: без ключа ничего не предскажешь",
	"flag --records cannot be %d: 1 to 100000": "флаг --records не может быть %d: нужно от 1 до " +
		"100000",
	"flags --from=%d --to=%d: 1 to 1000, and never fewer than before": "флаги --from=%d --to=%d: " +
		"нужно от 1 до 1000, и не меньше, чем было",
	"moved: %d of %d\n": "переехало: %d из %d\n",
}
