// Package ru holds the Russian texts of the fake lecture.
package ru

var texts = map[string]string{
	"kitchen serves on localhost:%s; Ctrl+C ends it.\n": "кухня работает на localhost:%s; Ctrl+C остановит её.\n",
	"guest %s came at %s\n":                             "гость %s пришёл в %s\n",
	"kitchen stopped by signal.\n":                      "кухня остановлена по сигналу.\n",
	"%d guests in all.\n":                               "всего гостей: %d.\n",
	"no stand runs.\n":                                  "стенд не запущен.\n",
}
