package ru

import (
	"maps"

	"brew.example/internal/msg"
)

func init() {
	msg.Add(keyedProducer)
	maps.Copy(russian, keyedProducer) // what the test looks through
}

var keyedProducer = map[string]string{
	"how many users order (0: records without a key)": "сколько пользователей делают заказы (0: " +
		"записи без ключа)",
	"percent of the orders that are user-0's besides": "какой процент заказов сверх того отдать " +
		"user-0",
	"give user-0 so many keys in turn (0: one)": "сколько ключей по очереди давать user-0 (0: " +
		"один)",
	"bytes of a value":               "сколько байт в значении записи",
	"another seed draws other users": "с другим seed выпадут другие пользователи",
	"flag --hot cannot be %d: 0 to 100 percent": "флаг --hot не может быть %d: нужно от 0 до 100 " +
		"процентов",
	"flags --hot and --salt need users: --users=10": "флагам --hot и --salt нужны пользователи: " +
		"--users=10",
	"flag --partitions cannot be %d: 1 to 1000": "флаг --partitions не может быть %d: нужно от 1 " +
		"до 1000",
	"flag --partitions cannot be %d: 1 to 10 without keys, a digit for each record": "флаг " +
		"--partitions не может быть %d: без ключей нужно от 1 до 10, по цифре на запись",
	"flag --size cannot be %d: at most 10000000": "флаг --size не может быть %d: нужно не " +
		"больше 10000000",
	"topic %s: created=%t\n": "топик %s: created=%t\n",
}
