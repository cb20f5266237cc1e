package ru

import (
	"maps"

	"brew.example/internal/msg"
)

func init() {
	msg.Add(errorClasses)
	maps.Copy(russian, errorClasses) // what the test looks through
}

// errorClasses is what 02-05 says: error-classes and headers-demo.
var errorClasses = map[string]string{
	"what happens: %s": "какую ситуацию устроить: %s",
	"replicas: how often to send a record again (-1: no limit)": "replicas: сколько раз " +
		"отправлять запись повторно (-1: без предела)",
	"no-answer and replicas: give a record up after this time (0: never)": "no-answer и " +
		"replicas: сколько ждать подтверждения, прежде чем сдаться (0: без предела)",
	"print what the client does":   "печатать, что делает клиент",
	"flag --case cannot be %s: %s": "флаг --case не может быть %s: %s",

	"produce, consume (from the log's start) or roundtrip": "produce - записать, consume - " +
		"прочитать с начала лога, roundtrip - и то и другое",
	"how often each record fails and is written again": "сколько раз каждая запись не " +
		"обработается и будет записана снова",
	"add headers at a hop, replace none":   "на каждом шаге добавлять заголовки, не заменяя",
	"show what a map keeps of the headers": "показать, что остаётся от заголовков в map",
	"flag --mode cannot be %s: produce, consume or roundtrip": "флаг --mode не может быть %s: " +
		"нужно produce, consume или roundtrip",
	"--mode=roundtrip reads when it has written all: it takes --records or --for": "" +
		"--mode=roundtrip читает, когда всё записано: нужен флаг --records или --for",
	"flag --hops cannot be %d: 0 to 1000000": "флаг --hops не может быть %d: от 0 до 1000000",
	"waiting for records in topic %s; Ctrl+C ends it\n": "ждём записей в топике %s; " +
		"остановить: Ctrl+C\n",
	"%d of %d came as they were written\n": "без изменений дошли %d из %d\n",
	"traceparent %s: not 00-, 32 hex digits, 16 and 2, ids not all zero": "traceparent %s: " +
		"нужно 00-, 32 шестнадцатеричные цифры, 16 и 2, идентификаторы не из одних нулей",
}
