package ru

import (
	"maps"

	"brew.example/internal/msg"
)

func init() {
	msg.Add(bench)
	maps.Copy(russian, bench) // what the test looks through
}

var bench = map[string]string{
	"how long a batch waits for more records": "сколько батч ждёт новых записей",
	"how a batch is compressed: none, gzip, snappy, lz4, zstd": "чем сжимать батч: none, gzip, " +
		"snappy, lz4, zstd",
	"what is in a record: json, hex, random, zeros": "чем заполнять записи: json, hex, random, " +
		"zeros",
	"async sends without waiting, sync waits for each record": "async шлёт, не дожидаясь " +
		"ответов, sync ждёт подтверждения каждой записи",
	"bytes of a record's value":               "сколько байт в значении записи",
	"how many records may wait in the client": "сколько записей может ждать в клиенте",
	"records a second; without it, as many as go through": "сколько записей слать в секунду; " +
		"без этого флага - сколько пройдёт",
	"records in each run":              "сколько записей в каждом измерении",
	"measured runs of each setting":    "сколько раз измерять каждую настройку",
	"give a record up after this time": "сколько ждать подтверждения, прежде чем сдаться",
	"table of medians, or every run as csv or json": "table - таблица медиан, csv или json - " +
		"каждый прогон",
	"flag --%s cannot be %s: %s": "флаг --%s не может быть %s: %s",
	"flags --linger, --codec, --payload and --send need a value each": "флагам --linger, " +
		"--codec, --payload и --send нужно хотя бы по одному значению",
	"flag --linger cannot be %s: from 0s to 1m": "флаг --linger не может быть %s: нужно от 0s " +
		"до 1m",
	"flag --rate cannot be %d: 1 to 1000000 records a second; without --rate the bench sends " +
		"as many as go through": "флаг --rate не может быть %d: нужно от 1 до 1000000 записей " +
		"в секунду; без --rate бенчмарк шлёт столько, сколько пройдёт",
	"flag --send cannot be sync with --rate: who waits for each answer keeps no rate": "" +
		"флаг --send не может быть sync вместе с --rate: кто ждёт каждого ответа, тот не " +
		"держит темп",
	"flag --records cannot be %d: 1 to 1000000 in each run": "флаг --records не может быть %d: " +
		"нужно от 1 до 1000000 на прогон",
	"flag --size cannot be %d: 0 or more": "флаг --size не может быть %d: нужно не меньше 0",
	"flags --records and --size: %d records of %d bytes are more than 1 GiB of memory": "" +
		"флаги --records и --size: %d записей по %d байт займут больше 1 ГиБ памяти",
	"flag --buffer cannot be %d: 1 or more":  "флаг --buffer не может быть %d: нужно не меньше 1",
	"flag --repeats cannot be %d: 1 or more": "флаг --repeats не может быть %d: нужно не меньше 1",
	"flag --timeout cannot be %s: 1s or more": "флаг --timeout не может быть %s: нужно не " +
		"меньше 1s",
	"partial: %d of %d runs\n": "не все прогоны: %d из %d\n",

	// chart
	"what bench wrote with -o csv or json (-: stdin)": "что записал bench с -o csv или json " +
		"(-: stdin)",
	"the picture to write":              "куда записать картинку",
	"read %s: there is no run in it":    "чтение %s: там нет ни одного прогона",
	"the picture cannot be written: %w": "картинку не удалось записать: %w",
	"%s: %d settings, %d runs\n":        "%s: настроек %d, прогонов %d\n",
	"flag --out cannot be %s: a name that ends in .svg": "флаг --out не может быть %s: нужно " +
		"имя, которое кончается на .svg",
	"neither CSV nor JSON of the bench (-o csv or json): %w": "это не CSV и не JSON бенчмарка " +
		"(-o csv или json): %w",
	"other columns": "другие столбцы",
	"run %d has a number that no bench writes": "в прогоне %d число, какого бенч не пишет",
}
