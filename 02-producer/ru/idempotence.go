package ru

import (
	"maps"

	"brew.example/internal/msg"
)

func init() {
	msg.Add(idempotence)
	maps.Copy(russian, idempotence) // the test looks at all of the module's
}

// idempotence is what the programs of 02-03 say.
var idempotence = map[string]string{
	"let the broker recognise a batch that is sent again": "пусть брокер узнаёт батч, который " +
		"прислали повторно",
	"send nothing again: stop when an acknowledgement is lost": "ничего не пересылать: " +
		"завершиться, когда подтверждение потеряно",
	"which acknowledgements are lost: 3 every third, 1 all, 0 none": "какие подтверждения " +
		"теряются: 3 - каждое третье, 1 - все, 0 - никакие",
	"number of the first charge":             "номер первого списания",
	"how many batches to write (1 to 1000)":  "сколько батчей записать (от 1 до 1000)",
	"flag --batches cannot be %d: 1 to 1000": "флаг --batches не может быть %d: нужно от 1 до 1000",
	"send a request again, without a login: %w": "не получается прислать запрос ещё раз (без " +
		"аутентификации): %w",
	"list the offsets of %s: %w":              "не получается узнать оффсеты топика %s: %w",
	"an answer of %d bytes: this is no Kafka": "ответ в %d байт: это не Kafka",
	"the broker's answer names no partition":  "в ответе брокера нет ни одной партиции",
	"the programs of this lecture read along between client and broker, and TLS is there to " +
		"prevent that: use a stand, or a cluster without KAFKA_TLS": "программы этой лекции " +
		"подслушивают клиента и брокера, а TLS как раз от этого защищает: возьми " +
		"стенд или кластер без KAFKA_TLS",
}
