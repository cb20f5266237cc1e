package ru

import (
	"maps"

	"brew.example/internal/msg"
)

func init() {
	msg.Add(acks)
	maps.Copy(russian, acks) // for the test of the whole module
}

// acks is what 02-02 says.
var acks = map[string]string{
	"pause after each record": "пауза после каждой записи",
	"who must have a record: 0 nobody, 1 the leader, all in-sync replicas": "у кого должна " +
		"быть запись: 0 - ни у кого, 1 - у лидера, all - у всех синхронных реплик",
	"number the records, so that a resend is stored once; demands --acks=all": "нумеровать " +
		"записи, чтобы повторная отправка не дала дубль; требует --acks=all",
	"bytes in a record's value": "сколько байт в значении записи",
	"how many write at the same time, each one waiting for its record": "сколько писателей " +
		"работают одновременно; каждый ждёт подтверждения своей записи",
	"records in each round": "сколько записей в каждом раунде",
	"rounds that are measured, after one to warm up": "сколько раундов измерять после " +
		"разогревочного",
	"flags --records, --repeats and --writers cannot be 0: there would be nothing to measure": "" +
		"флаги --records, --repeats и --writers не могут быть 0: измерять будет нечего",
	"too many to measure: --records up to 1000000, --repeats up to 1000, --writers up to " +
		"10000": "слишком много для измерения: --records до 1000000, --repeats до 1000, " +
		"--writers до 10000",
	"flag --payload cannot be %d: up to 1073741824": "флаг --payload не может быть %d: нужно " +
		"не больше 1073741824",
	"%d records of %d bytes a round; writing at the same time: %d\n": "" +
		"записей в раунде: %d, байт в каждой: %d; пишут одновременно: %d\n",
	"partial results, the bench has ended early\n": "результаты неполные: измерение закончилось " +
		"раньше времени\n",

	"min.insync.replicas of a new topic, 1 to 3": "min.insync.replicas нового топика, от 1 до 3",
	"how often a refused record is sent again (-1: no limit)": "сколько раз повторять отправку " +
		"отклонённой записи (-1: без предела)",
	"how long to look for records that may still be on their way": "сколько времени искать " +
		"записи, которые ещё могут быть в пути",
	"wait until no acknowledged record is hidden": "ждать, пока подтверждённые записи не " +
		"перестанут быть скрытыми",
	"flag --min-isr cannot be %d: 1 to 3, there are three replicas": "флаг --min-isr не может " +
		"быть %d: нужно от 1 до 3, реплик всего три",
	"each till has sent its first receipt; Ctrl+C ends it and counts\n": "" +
		"каждая касса отправила первый чек; Ctrl+C - закончить и посчитать\n",
	"no answer for %s":          "нет ответа уже %s",
	"answered after %s":         "ответ пришёл через %s",
	"acknowledged and gone: %d": "подтверждено и пропало: %d",
	"waiting until nothing is hidden; Ctrl+C ends it\n": "ждём, пока скрытых не останется; " +
		"Ctrl+C - выход\n",
	"topic %s cannot be read to its end: %w": "топик %s не удаётся дочитать до конца: %w",
	"the embedded stand copies no record, so it loses none with a broker; a real Kafka: " +
		"`make down`, then `COURSE_STAND=java make up`": "встроенный стенд записей не копирует " +
		"и не теряет их вместе с брокером; настоящая Kafka: `make down`, затем " +
		"`COURSE_STAND=java make up`",

	"acks=%s: %w; leave --idempotent out, or say --acks=all": "acks=%s: %w; убери --idempotent " +
		"или задай --acks=all",
	"flag --acks cannot be %s: 0, 1 or all, or several, such as 1,all": "флаг --acks не может " +
		"быть %s: нужно 0, 1 или all, либо несколько, например 1,all",
	"flag --acks cannot be empty: 0, 1 or all, or several, such as 1,all": "флаг --acks не " +
		"может быть пустым: нужно 0, 1 или all, либо несколько, например 1,all",
	"flag --acks names %s twice": "во флаге --acks дважды стоит %s",
}
