package ru

import (
	"maps"

	"brew.example/internal/msg"
)

func init() {
	msg.Add(quorumStatus)
	maps.Copy(russian, quorumStatus) // the test looks at all of the module's
}

// quorumStatus is what the program of 01-01 says.
var quorumStatus = map[string]string{
	"print the active controller's number alone": "напечатать только номер активного контроллера",
	"the brokers cannot be listed: %w":           "не получается узнать список брокеров: %w",
	"metadata controller (random broker): node=%d\n": "" +
		"контроллер по метаданным (случайный брокер): node=%d\n",
	"no controller has answered for %s: a majority of the voters must run (see `make " +
		"broker-ls`)": "за %s ни один контроллер не ответил: нужно, чтобы работало большинство " +
		"голосующих узлов (смотри `make broker-ls`)",
	"this stand imitates the brokers and has no controllers; a real Kafka has: `make down`, " +
		"then COURSE_STAND=java (JDK, Maven) or docker with `make up`": "этот стенд имитирует " +
		"брокеры, контроллеров в нём нет; они есть в настоящей Kafka: `make down`, затем `make " +
		"up` с COURSE_STAND=java (JDK, Maven) или docker",
	"the quorum cannot be asked: %w": "не получается опросить кворум: %w",
}
