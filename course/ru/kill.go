package ru

import "brew.example/internal/msg"

func init() { msg.Add(kill) }

var kill = map[string]string{
	"end a program that `course run` started as a crash would: kill -9": "завершить программу, " +
		"запущенную через `course run`, как при падении: kill -9",
	"killed %s\n": "убит %s\n",
	"%s was not started from this folder with `course run`": "%s не запускали отсюда через " +
		"`course run`",
	"%s is damaged: delete it and start the program again": "%s повреждён: удали его и запусти " +
		"программу заново",
	"%s does not run any more":        "%s уже не работает",
	"cannot kill %s (process %d): %w": "не получается убить %s (процесс %d): %w",
}
