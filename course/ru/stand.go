// Package ru holds what the course's tool says in Russian. Import it for its effect: the
// texts are registered at start.
package ru

import "brew.example/internal/msg"

func init() { msg.Add(standTexts) }

// standTexts are the texts of everything around the stand.
var standTexts = map[string]string{
	// usage and help
	"error: %s\n": "ошибка: %s\n",
	"the Brew course's tool: the stand, the lectures' programs, " +
		"groups and topics": "утилита курса Brew: стенд, программы лекций, группы и топики",
	"Usage:":         "Запуск:",
	"Examples:":      "Примеры:",
	"Commands:":      "Команды:",
	"Flags:":         "Флаги:",
	" (default %s)":  " (по умолчанию %s)",
	"show this help": "показать эту справку",
	"write a completion script for bash, zsh, fish or powershell": "вывести скрипт " +
		"автодополнения для bash, zsh, fish или powershell",
	"unknown command %s; see `%s --help`":     "нет такой команды: %s; смотри `%s --help`",
	"unknown command %s; did you mean %s?":    "нет такой команды: %s; может, %s?",
	"unexpected argument %s; see `%s --help`": "лишний аргумент %s; смотри `%s --help`",

	// up, down, status, wipe
	"start the stand, three Kafka brokers on this machine, unless " +
		"it is up": "запустить стенд, три брокера Kafka на этой машине, если он ещё не запущен",
	"address to listen on, when other machines shall reach the " +
		"stand (default 127.0.0.1)": "адрес, на котором слушать, если стенд нужен другим " +
		"машинам (по умолчанию 127.0.0.1)",
	"host by which clients reach the stand (default localhost)": "хост, по которому клиенты " +
		"подключаются к стенду (по умолчанию localhost)",
	"warning: the stand listens on %s without a password: whoever " +
		"reaches this machine can read and delete what is in it\n": "внимание: стенд " +
		"слушает на %s без пароля: кто дотянется до этой машины, сможет прочитать и " +
		"удалить всё, что в нём есть\n",
	"The stand is up already: %s\n": "Стенд уже запущен: %s\n",
	"The stand is up: %s. `make down` stops it and keeps the " +
		"data.\n": "Стенд запущен: %s. `make down` остановит его и сохранит данные.\n",
	"stop the stand and keep its data":         "остановить стенд, данные сохранить",
	"The stand is down, its data is kept.\n":   "Стенд остановлен, данные сохранены.\n",
	"No stand is up: nothing to stop.\n":       "Стенд не запущен: останавливать нечего.\n",
	"text or json":                             "text или json",
	"flag --output cannot be %s: text or json": "флаг --output не может быть %s: text или json",
	"tell what runs: brokers, memory, records, groups; status 1 if " +
		"no stand is up": "показать, что запущено: брокеры, память, записи, группы; код " +
		"возврата 1, если стенда нет",
	"start one with `make up`":   "запусти его командой `make up`",
	"No stand is up: %s.\n":      "Стенд не запущен: %s.\n",
	"The stand is up: %s, %s.\n": "Стенд запущен: %s, %s.\n",
	"stop the stand and delete its data and logs": "остановить стенд, удалить его данные и " +
		"логи",
	"this deletes all data of the stand, and there is no terminal " +
		"to ask on; add -y to do it": "это удалит все данные стенда, а терминала, чтобы " +
		"переспросить, нет; добавь -y, если так и надо",
	"Delete all topics, records and offsets of every kind of stand in %s?": "Удалить все топики, " +
		"записи и оффсеты стендов всех видов в %s?",
	"this is the %s stand; the records of a java stand are kept as well: `make down`, then " +
		"`COURSE_STAND=java make up` for that one": "это стенд %s; записи стенда java тоже " +
		"сохранены: чтобы вернуть его, `make down`, затем `COURSE_STAND=java make up`",
	"The stand is down and its data is deleted.\n": "Стенд остановлен, данные удалены.\n",
	"No stand has left anything in %s: nothing to delete.\n": "Ни один стенд ничего не оставил " +
		"в %s: удалять нечего.\n",
	"left alone in %s, since they are not the stand's: %s\n": "в %s осталось то, что создал не " +
		"стенд: %s\n",
	"do not ask": "не спрашивать",

	// the home and its locks
	"it is the root of the file system": "это корень файловой системы",
	"it is your home folder":            "это твоя домашняя папка",
	"the course itself lies in it":      "в ней лежит сам курс",
	"it is a symbolic link":             "это символическая ссылка",
	"it is not a folder":                "это не папка",
	"it holds files and no %s, so the course has not made it": "в этой папке есть файлы, но нет %s: " +
		"значит, папку создал не курс",
	"everybody on this machine can write to it": "в неё может писать любой пользователь этой машины",
	"%s cannot hold the stand: %s; set COURSE_HOME to a folder of " +
		"its own, such as %s": "%s не годится для стенда: %s; задай в COURSE_HOME отдельную " +
		"папку, например %s",
	"%s cannot hold the stand: %w; set COURSE_HOME to a folder " +
		"that you can write to": "%s не годится для стенда: %w; задай в COURSE_HOME папку, " +
		"в которую можно писать",
	"%s cannot hold the stand: the disk is full; free some space, or set COURSE_HOME to a " +
		"folder on another disk": "%s не годится для стенда: диск заполнен; освободи место или " +
		"задай в COURSE_HOME папку на другом диске",
	"waiting for another course command that is at work in %s": "ждём: в %s работает другая " +
		"команда курса",
	"another stand runs in %s already": "в %s уже работает другой стенд",

	// starting and stopping
	"the stand runs on ports %d-%d and COURSE_PORT=%d asks for " +
		"%d-%d: unset COURSE_PORT, or stop the stand with `make " +
		"down` first": "стенд работает на портах %d-%d, а COURSE_PORT=%d просит %d-%d: " +
		"убери COURSE_PORT или сначала останови стенд командой `make down`",
	"the stand runs already, bound to %s and advertised as %s: " +
		"stop it with `make down` first": "стенд уже работает, слушает на %s и называет " +
		"себя %s: сначала останови его командой `make down`",
	"a stand runs in %s, but its files do not say as which process " +
		"(%w): find it with `ps -ef | grep %s` and end it": "в %s работает стенд, но по его " +
		"файлам не понять, каким процессом (%w): найди его командой `ps -ef | grep %s` и " +
		"заверши",
	"%s did not say what runs (damaged, gone or of another stand): " +
		"it is written anew": "по %s нельзя было понять, что запущено (повреждён, пропал или " +
		"от другого стенда): файл записан заново",
	"the last stand was not stopped but killed (pid %d is gone): " +
		"it starts again with its data": "прошлый стенд не остановили, а убили (процесса %d " +
		"больше нет): запускаем его снова с его данными",
	"the last stand was not stopped but killed (pid %d is gone): " +
		"its data is kept": "прошлый стенд не остановили, а убили (процесса %d больше нет): " +
		"данные сохранены",
	"the last stand was not stopped but killed (pid %d is gone); " +
		"`make up` starts it again with its data": "прошлый стенд не остановили, а убили " +
		"(процесса %d больше нет); `make up` запустит его снова с его данными",
	"%s was damaged and no stand runs: it is removed, the data is " +
		"kept": "%s был повреждён, а стенд не запущен: файл удалён, данные сохранены",
	"%s is damaged and no stand runs; `make up` puts it right " +
		"and keeps the data": "%s повреждён, а стенд не запущен; `make up` это исправит и " +
		"сохранит данные",
	"--bind %s is not an IP address of this machine, such as " +
		"0.0.0.0 for all of them": "--bind %s - не IP-адрес этой машины; 0.0.0.0 означает " +
		"все её адреса",
	"--bind %s needs --advertise HOST: the name by which other " +
		"machines reach this one": "--bind %s требует --advertise HOST: имя, по которому " +
		"другие машины видят эту",
	"--advertise %s is not a host: give a name or an address " +
		"without a port": "--advertise %s - не хост: нужно имя или адрес без порта",
	"no %d free ports in a row between %d and %d": "нет %d свободных портов подряд между %d и %d",
	"port %d is taken%s: stop what holds it, or set COURSE_PORT to " +
		"the first of three free ports (a real Kafka takes the three that are 10 and 20 above as " +
		"well)": "порт %d занят%s: останови то, что его держит, или " +
		"задай в COURSE_PORT первый из трёх свободных портов (настоящая Kafka занимает ещё по " +
		"три порта на 10 и на 20 выше)",
	"cannot listen on %s, port %d: %w": "не получается слушать на %s, порт %d: %w",
	"the stand does not start: %w":     "стенд не запускается: %w",
	"the stand is not ready after %s; its log is %s": "за %s стенд так и не поднялся; его " +
		"лог: %s",
	"the stand died at its start: %s; its log is %s": "стенд упал при запуске: %s; его лог: %s",
	"it said nothing":                   "он ничего не вывел",
	"cannot stop the stand, pid %d: %w": "не получается остановить стенд, pid %d: %w",
	"the stand is still there after %s": "прошло %s, а стенд всё ещё работает",
	"the stand (pid %d) did not stop within %s and is killed; no " +
		"acknowledged record is lost by that": "стенд (pid %d) не остановился за %s и убит; " +
		"подтверждённые записи при этом не теряются",
	"the stand runs, but its brokers do not answer (%s): stop it " +
		"with `make down`, then `make up`": "стенд работает, но брокеры не отвечают " +
		"(%s): останови его командой `make down`, потом `make up`",
	"group %s has %d members (%s)": "в группе %s участников: %d (%s)",
	"programs read from the stand: %s; stop them with Ctrl+C, then " +
		"wipe again": "со стенда ещё читают программы: %s; останови их по Ctrl+C и повтори",

	// the brokers' log and refusals
	"records past their retention.ms stay: %v": "записи старше своего retention.ms остаются: %v",
	"the stand is up, its brokers listen on %s, ports %v": "стенд запущен, брокеры слушают " +
		"на %s, порты %v",
	"the stand is down": "стенд остановлен",
	"the stand's folder has been deleted: the stand stops": "папку стенда удалили: стенд " +
		"останавливается",
	" (and %d lines like this since the last one)": " (и ещё %d таких строк с прошлого раза)",
	"the stand keeps %d bytes of unfinished requests at most, and this is the longest of " +
		"them": "стенд держит не больше %d байт недочитанных запросов, а этот из них самый длинный",
	"cut the connection of %s: %s": "соединение с %s разорвано: %s",
	"its first bytes are %s: this is an HTTP request, and here is " +
		"a Kafka broker; use a Kafka client": "первые байты %s: это запрос HTTP, а здесь " +
		"брокер Kafka; нужен клиент Kafka",
	"its first bytes are %s: this is a TLS handshake, and the " +
		"stand has no TLS; unset KAFKA_TLS or set " +
		"security.protocol=PLAINTEXT": "первые байты %s: это рукопожатие TLS, а TLS на стенде " +
		"нет; убери KAFKA_TLS или задай security.protocol=PLAINTEXT",
	"its first bytes are %s: as a Kafka request it would have %d " +
		"bytes, more than the %d that the stand takes": "первые байты %s: как запрос Kafka это " +
		"было бы %d байт, а стенд принимает не больше %d",
	"its first bytes are %s: no Kafka request has only %d bytes": "первые байты %s: запросов " +
		"Kafka длиной %d байт не бывает",
	"a request (key %d, version %d) whose head cannot be read": "не читается заголовок " +
		"запроса (ключ %d, версия %d)",
	"a request of the unknown key %d":  "запрос с неизвестным ключом %d",
	"a request (key %d) of version %d": "запрос (ключ %d) версии %d",
	"a request (key %d, version %d) that cannot be read: %v": "запрос (ключ %d, версия %d) " +
		"не читается: %v",
	"topic %s: a name has 1 to 249 of the characters a-z, A-Z, " +
		"0-9, dot, underscore and hyphen": "топик %s: в имени от 1 до 249 знаков, только " +
		"a-z, A-Z, 0-9, точка, подчёркивание и дефис",
	"the embedded stand takes at most %d partitions a topic": "встроенный стенд принимает не " +
		"больше %d партиций на топик",

	// run
	"build a lecture's program and run it, on a stand that is " +
		"started if none is up": "собрать программу лекции и выполнить её; если стенд не " +
		"запущен, он запустится",
	"name a program: %s": "укажи программу: %s",
	"put -- before the program's own arguments: %s": "поставь -- перед аргументами самой " +
		"программы: %s",
	"cannot run %s: %w": "не получается выполнить %s: %w",
	"no stand was up: started one, %s; `make down` stops it\n": "стенд не был запущен, теперь " +
		"запущен: %s; остановить его: `make down`\n",
	"building %s ...\n": "собираем %s ...\n",
	"no course folder here or above: go to a clone of the course": "ни здесь, ни выше нет " +
		"папки курса: перейди в клон курса",
	"%s is not a program of the course: it lies outside of its folder": "%s - не программа " +
		"курса: она лежит вне его папки",
	"no program at %s: name the folder of one, such as ./cmd/consumer": "в %s нет " +
		"программы: укажи её папку, например ./cmd/consumer",
	"cannot build %s: %w": "не получается собрать %s: %w",
	"cannot build %s: there is no `go` on PATH; install Go, see " +
		"https://go.dev/dl/": "не получается собрать %s: в PATH нет `go`; установи Go, " +
		"смотри https://go.dev/dl/",
	"%s does not compile, see above": "%s не компилируется, смотри выше",
	"cannot build %s: the go command cannot download what it needs, see above; check the network " +
		"and GOPROXY": "не получается собрать %s: команда go не может скачать то, что ей нужно, " +
		"смотри выше; проверь сеть и GOPROXY",
	"cannot build %s: the go command fails, see above; `go env -changed` shows your settings of " +
		"it": "не получается собрать %s: команда go завершилась с ошибкой, смотри выше; твои " +
		"настройки для неё покажет `go env -changed`",

	// journals
	"cannot mend %s: %w": "не получается починить %s: %w",
	"a commit cannot be kept (see above): the stand stops": "не получается сохранить коммит " +
		"(смотри выше): стенд останавливается",

	"%w; the program's own flags go behind --: %s": "%w; флаги самой программы идут после --: %s",

	"%s was ended: %s": "%s завершён: %s",

	// demo
	"show ten orders going into Kafka and coming out of a consumer " +
		"group": "записать десять заказов и прочитать их группой консьюмеров",
	"building the programs for the first time, which takes up to a " +
		"minute ...\n": "собираем программы в первый раз, это занимает до минуты ...\n",
	"\nA producer writes ten orders:\n\n": "\nПродюсер записывает десять заказов:\n\n",
	"\nA consumer group reads them:\n\n":  "\nГруппа консьюмеров их читает:\n\n",
	"\nNow you. Read on in %s, or go straight to two terminals:\n\n" +
		"  cd %s\n  make orders     # ten orders of your own\n" +
		"  make run        # terminal 1: reads them and waits for more\n" +
		"  make run-2nd    # terminal 2: a second member, and they share the partitions\n": "" +
		"\nТеперь твоя очередь. Открой %s или сразу переходи к двум терминалам:\n\n" +
		"  cd %s\n  make orders     # десять своих заказов\n" +
		"  make run        # терминал 1: читает их и ждёт новых\n" +
		"  make run-2nd    # терминал 2: второй участник, и они делят партиции\n",
	"\nThe stand stays up; `make down` stops it.\n": "\nСтенд остаётся запущенным; остановить " +
		"его: `make down`.\n",
	"group %s has members: another demo runs; wait until it has ended": "в группе %s есть " +
		"участники: идёт другое демо; дождись его конца",
	"cannot delete group %s: %w": "не получается удалить группу %s: %w",
	"cannot delete topic %s: %w": "не получается удалить топик %s: %w",

	// bench
	"measure the stand's start, its memory, and a group's first " +
		"record": "измерить запуск стенда, его память и время до первой записи группы",
	"how often to measure":                "сколько раз измерить",
	"flag --runs cannot be %d: 1 or more": "флаг --runs не может быть %d: нужно 1 и больше",
	"%s has shown no record":              "%s не показал ни одной записи",

	// doctor, version
	"tell which version of the course and of the libraries this is": "показать версии курса " +
		"и библиотек",
	"look for what keeps the course from working here, and say the " +
		"way out": "найти, что мешает курсу работать на этой машине, и подсказать выход",
	"%d of the lines above say fail": "строк с fail выше: %d",
	"there is no `go` on PATH; install Go, see https://go.dev/dl/": "в PATH нет `go`; " +
		"установи Go, смотри https://go.dev/dl/",
	"`go version` does not work: %w": "`go version` не работает: %w",
	"not inside a clone of the course: `course run` and `course " +
		"demo` work there only": "это не клон курса: `course run` и `course demo` работают " +
		"только в нём",
	"%s; COURSE_LANG=en or ru chooses another": "%s; другой язык выбирает COURSE_LANG=en " +
		"или ru",
	"%s is set and the course does not read it; it reads %s": "%s задана, но курс её не " +
		"читает; он читает %s",
	"not up; `make up` or any lecture's `make run` starts it": "не запущен; его запустит " +
		"`make up` или `make run` любой лекции",
	"cannot tell how much room is left: %v": "не получается узнать, сколько осталось места: %v",
	"only %d MiB are left for the stand: make room, or set " +
		"COURSE_HOME to another disk": "стенду осталось всего %d МиБ: освободи место или " +
		"задай в COURSE_HOME папку на другом диске",
	"%d MiB are left":                  "осталось %d МиБ",
	"%s are free":                      "%s свободны",
	"the cluster answers, brokers: %d": "кластер отвечает, брокеров: %d",
	"no broker tells which brokers there are (%s)": "ни один брокер не сообщает, какие брокеры " +
		"есть (%s)",
	"broker %d does not answer at %s (%s)": "брокер %d не отвечает по адресу %s (%s)",
	"broker %d answers at %s":              "брокер %d отвечает по адресу %s",
	"broker %d calls itself %s and is not to be reached there " +
		"(%w): clients go to that address whatever KAFKA_BOOTSTRAP " +
		"says; set advertised.listeners of the broker, or make the " +
		"name known here": "брокер %d называет свой адрес %s, но там он недоступен (%w): " +
		"клиенты пойдут именно туда, что бы ни стояло в KAFKA_BOOTSTRAP; поправь " +
		"advertised.listeners брокера или пропиши это имя на своей машине",
	"the name is unknown here": "на этой машине имя не резолвится",
	"no answer within %s":      "нет ответа за %s",
	"not on PATH; the embedded stand does without it": "нет в PATH; встроенный стенд обходится " +
		"без него",
}
