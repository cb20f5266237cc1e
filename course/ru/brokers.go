package ru

import "brew.example/internal/msg"

func init() { msg.Add(brokerTexts) }

// brokerTexts are the texts of the stands with a real Kafka.
var brokerTexts = map[string]string{
	// the verbs
	"stop, kill, pause and start single brokers of a real Kafka": "останавливать, убивать, " +
		"замораживать и запускать отдельные брокеры настоящей Kafka",
	"tell how each broker is: running, stopped, paused or dead": "показать состояние каждого " +
		"брокера: running, stopped, paused или dead",
	"stop a broker: it hands over its partitions first": "остановить брокер: сначала он " +
		"передаст свои партиции",
	"end a broker as a crash would: kill -9": "завершить брокер, как при падении: kill -9",
	"freeze a broker: connections stay, nothing is answered": "заморозить брокер: соединения " +
		"остаются, ответов нет",
	"let a paused broker go on":                   "разморозить брокер",
	"start a broker that was stopped or has died": "запустить остановленный или упавший брокер",
	"name one broker by its number: %s":           "укажи номер одного брокера: %s",
	"%s is not the number of a broker: 0, 1 or 2": "%s - не номер брокера: нужен 0, 1 или 2",
	"Broker %d is stopped.\n":                     "Брокер %d остановлен.\n",
	"Broker %d is killed.\n":                      "Брокер %d убит.\n",
	"Broker %d is paused.\n":                      "Брокер %d заморожен.\n",
	"Broker %d goes on.\n":                        "Брокер %d снова работает.\n",
	"Broker %d is started.\n":                     "Брокер %d запущен.\n",
	"there is no broker %d: the stand has 0, 1 and 2": "нет брокера %d: на стенде есть 0, 1 и " +
		"2",
	"broker %d is paused and cannot stop by itself: let it go on with `course broker resume " +
		"%d` first, or kill it": "брокер %d заморожен и сам остановиться не может: сначала " +
		"разморозь его командой `course broker resume %d` или убей",
	"broker %d is paused: `course broker resume %d` lets it go on": "брокер %d заморожен: " +
		"`course broker resume %d` его разморозит",
	"broker %d is running already": "брокер %d уже работает",
	"broker %d is stopped: `course broker start %d` starts it": "брокер %d остановлен: " +
		"`course broker start %d` его запустит",
	"broker %d is dead: `course broker start %d` starts it again": "брокер %d упал: `course " +
		"broker start %d` запустит его снова",
	"broker %d is not %s after %s": "брокер %d так и не стал %s за %s",
	"broker %d has not stopped within %s: it is killed, and keeps what was acknowledged": "брокер " +
		"%d не остановился за %s: убит, всё подтверждённое у него сохранилось",
	"broker %d is the last one that runs and has nobody to hand over to: it may have to be killed, " +
		"after %s": "брокер %d - последний, передать дела некому: возможно, через %s его " +
		"придётся убить",
	"a start or stop of the %s stand is under way: wait for it": "стенд %s как раз запускают " +
		"или останавливают: подожди",
	"brokers that run: %d of %d, too few to elect a leader: start another one": "работает " +
		"брокеров: %d из %d, для выбора лидера этого мало: запусти ещё один",
	"broker %d is the only one that runs: the cluster answers when a second one is started": "" +
		"брокер %d пока работает один: кластер ответит, когда запустится второй",
	"the embedded stand is one process, so no single broker of it can be stopped, killed or " +
		"paused; a real Kafka shows that: `make down`, then COURSE_STAND=java (needs a JDK " +
		"and Maven) or docker with `make up`": "встроенный стенд - один процесс, отдельный " +
		"брокер в нём не остановить, не убить и не заморозить; это показывает настоящая " +
		"Kafka: `make down`, затем `make up` с COURSE_STAND=java (нужны JDK и Maven) или " +
		"docker",
	"run one of Apache Kafka's own command-line tools on a real Kafka": "запустить одну из " +
		"собственных консольных утилит Apache Kafka на настоящей Kafka",
	"the tools:":      "утилиты:",
	"name a tool: %s": "укажи утилиту: %s",
	"unknown tool %s; `course tool --help` lists them": "неизвестная утилита %s; список - в `course tool --help`",
	"`course tool` adds --bootstrap-server with the stand's brokers: leave it out": "`course " +
		"tool` сам добавляет --bootstrap-server с брокерами стенда: убери его",
	"no broker of the stand runs: start them one by one, or all of them with `make down`, then " +
		"`make up`": "ни один брокер стенда не работает: запусти их по одному или все сразу " +
		"командами `make down` и `make up`",
	"this folder has a docker stand, and Docker cannot be asked for it: %w; start Docker, or " +
		"work with another folder: COURSE_HOME": "в этой папке стенд docker, а спросить о нём " +
		"Docker не получается: %w; запусти Docker или возьми другую папку: COURSE_HOME",
	"containers of the stand may be left (%v): `make down` removes them": "могли остаться " +
		"контейнеры стенда (%v): `make down` их уберёт",
	"`docker %s` does not end within %s: restart Docker, or set COURSE_STAND=java or embedded": "" +
		"`docker %s` не завершилась за %s: перезапусти Docker или задай COURSE_STAND=java или " +
		"embedded",
	"Docker does not work: %s; start it, or set COURSE_STAND=java or embedded": "Docker не " +
		"работает: %s; запусти его или задай COURSE_STAND=java или embedded",
	"no broker runs that %s could ask: see `course broker ls`": "ни один брокер не работает, " +
		"%s некого спросить: смотри `course broker ls`",
	"%s comes with a real Kafka, and the embedded stand is none: `make down`, then " +
		"COURSE_STAND=java (needs a JDK and Maven) or docker with `make up`": "%s приходит " +
		"вместе с настоящей Kafka, а встроенный стенд - имитация: `make down`, затем `make " +
		"up` с COURSE_STAND=java (нужны JDK и Maven) или docker",
	"KAFKA_BOOTSTRAP names a cluster of your own, and the course has no tools for it: in an " +
		"installation of Apache Kafka run bin/%s.sh --bootstrap-server %s": "" +
		"KAFKA_BOOTSTRAP указывает на твой собственный кластер, и утилит для него в курсе " +
		"нет: в установленной Apache Kafka запусти bin/%s.sh --bootstrap-server %s",
	"no stand is up: start one with `make up`, with COURSE_STAND=java or docker": "стенд не " +
		"запущен: запусти его командой `make up` с COURSE_STAND=java или docker",

	// up, down, status
	"the %s stand runs and COURSE_STAND=%s asks for another one: unset COURSE_STAND, or stop " +
		"the stand with `make down` first": "работает стенд %s, а COURSE_STAND=%s просит " +
		"другой: убери COURSE_STAND или сначала останови стенд командой `make down`",
	"a start or stop of the %s stand was interrupted: what is left of it is ended": "запуск или " +
		"остановка стенда %s прервались: убираем, что от него осталось",
	"a start or stop of the %s stand was interrupted; `make down` ends what is left of it": "" +
		"запуск или остановка стенда %s прервались; `make down` уберёт, что от него осталось",
	"one broker does not run, and the others have not taken its groups over yet, so nobody " +
		"knows who reads: try again in ten seconds, or `make down` first": "один брокер не " +
		"работает, а остальные ещё не взяли себе его группы, и кто сейчас читает, неизвестно: " +
		"повтори секунд через десять или сначала сделай `make down`",
	"%d processes of Kafka run that no file knows of: they are ended": "работают процессы Kafka, " +
		"о которых нет записей, всего %d: завершаем их",
	"no broker of the last stand runs any more: it starts again with its data": "от прошлого " +
		"стенда не работает ни один брокер: запускаем его снова с его данными",
	"no broker of the last stand runs any more: its data is kept": "от прошлого стенда не " +
		"работает ни один брокер: данные сохранены",
	"no broker of the last stand runs any more; `make up` starts it again with its data": "" +
		"от прошлого стенда не работает ни один брокер; `make up` запустит его снова с его " +
		"данными",
	"building what reads docker-compose.yml; the first time " +
		"this takes about half a minute ...": "собираем программу, которая читает " +
		"docker-compose.yml; в первый раз это занимает около полминуты ...",
	"cannot read docker-compose.yml, see above": "не получается прочитать docker-compose.yml, " +
		"смотри выше",
	"up: %s, %s, pid %s": "запущен: %s, %s, pid %s",

	// Java
	"the java stand needs Linux or macOS: run it in WSL, or set COURSE_STAND=docker or " +
		"embedded": "стенду java нужен Linux или macOS: запусти его в WSL или задай " +
		"COURSE_STAND=docker или embedded",
	"starting three nodes of Apache Kafka %s, in some ten seconds, after a crash in twenty ...": "" +
		"запускаем три узла " +
		"Apache Kafka %s, это секунд десять, после аварии двадцать ...",
	"an interrupted start has left %d processes of Kafka: they are ended": "после прерванного " +
		"запуска остались процессы Kafka, всего %d: завершаем их",
	"cannot end the process %d": "не получается завершить процесс %d",
	"broker %d still runs after an interrupted command: it is ended first": "брокер %d ещё " +
		"работает после прерванной команды: сначала завершаем его",
	"%s does not say how the brokers were started (%w): `make down` and `make up` write it " +
		"anew": "из %s не узнать, как запускались брокеры (%w): `make down` и `make up` " +
		"запишут его заново",
	"it names no Java": "в нём не указана Java",
	"%s cannot hold the java stand: in its path there is %s; set COURSE_HOME to a path " +
		"without that": "в %s нельзя держать стенд java: в пути есть %s; укажи в " +
		"COURSE_HOME путь без этого",
	"a comma, at which a path ends for Kafka": "запятая, на ней для Kafka путь кончается",
	"a colon, at which a path ends for Java":  "двоеточие, на нём для Java путь кончается",
	"a backslash, which Maven takes for a slash": "обратная косая черта, Maven примет её за " +
		"прямую",
	"${, which Maven replaces":               "${, Maven подставит на это место другое",
	"%s, and Java finds no classes below it": "%s, внутри такой папки Java не найдёт классов",
	"broker %d died at its start: %s; its log is %s": "брокер %d упал при запуске: %s; его " +
		"лог: %s",
	"broker %d does not start: %w":          "брокер %d не запускается: %w",
	"the brokers do not serve after %s: %s": "за %s брокеры так и не заработали: %s",
	"broker %d does not know broker %d yet": "брокер %d ещё не знает брокера %d",
	"partition %d of %s is not on all its brokers yet": "партиция %d топика %s ещё не на всех " +
		"своих брокерах",
	"JAVA_HOME=%s has no bin/java: set it to the folder of a JDK, or unset it": "в " +
		"JAVA_HOME=%s нет bin/java: укажи папку JDK или убери переменную",
	"there is no `java` on PATH and no JAVA_HOME: install a JDK of version %s or newer, such " +
		"as https://adoptium.net, or unset COURSE_STAND for the embedded stand": "в PATH нет " +
		"`java`, и JAVA_HOME не задан: установи JDK версии %s или новее, например с " +
		"https://adoptium.net, или убери COURSE_STAND, чтобы взять встроенный стенд",
	"`%s -version` does not work: %s": "`%s -version` не работает: %s",
	"%s is Java %s, too old for Apache Kafka %s: install a JDK of version %s or newer, or " +
		"name it with JAVA_HOME": "%s - это Java %s, для Apache Kafka %s она стара: установи " +
		"JDK версии %s или новее или укажи его в JAVA_HOME",
	"there is no `mvn` on PATH, and it has to fetch Apache Kafka once: install Maven %s or " +
		"newer, see https://maven.apache.org/install.html, or unset COURSE_STAND for the " +
		"embedded stand": "в PATH нет `mvn`, а он должен один раз скачать Apache Kafka: " +
		"установи Maven %s или новее, смотри https://maven.apache.org/install.html, или убери " +
		"COURSE_STAND, чтобы взять встроенный стенд",
	"`%s --version` does not work: %s": "`%s --version` не работает: %s",
	"%s is Maven %s, too old to fetch Apache Kafka: install %s or newer, see " +
		"https://maven.apache.org/install.html": "%s - это Maven %s, он стар, чтобы скачать " +
		"Apache Kafka: установи %s или новее, смотри https://maven.apache.org/install.html",
	"fetching Apache Kafka %s with Maven, about 55 MB, once ...": "скачиваем Apache Kafka %s " +
		"через Maven, один раз, около 55 МБ ...",
	"Maven cannot fetch Apache Kafka %s: %s; it needs the network this once: see `mvn " +
		"--version` and the proxy in ~/.m2/settings.xml": "Maven не может скачать Apache " +
		"Kafka %s: %s; один раз ему нужна сеть: проверь `mvn --version` и прокси в " +
		"~/.m2/settings.xml",
	"Maven has brought other jars than expected: %w; delete org/apache/kafka in its local " +
		"repository (~/.m2/repository), and see which mirror its settings name": "Maven " +
		"принёс не те jar-файлы: %w; удали org/apache/kafka в его локальном репозитории " +
		"(~/.m2/repository) и проверь, какое зеркало указано в его настройках",
	"the jars in %s have been changed: %w; delete that folder, then `make down` and `make " +
		"up`": "jar-файлы в %s изменились: %w; удали эту папку, затем `make down` и `make " +
		"up`",
	"%s is not one of the jars of Apache Kafka %s": "%s - лишний, такого jar-файла в Apache " +
		"Kafka %s нет",
	"%s is not the jar of Apache Kafka %s: its SHA-256 is %s instead of %s": "%s - не тот " +
		"jar-файл, что в Apache Kafka %s: его SHA-256 - %s, а должен быть %s",
	"%s is missing": "нет файла %s",

	// data folders
	"the data in %s was written by Apache Kafka %s, and this course has %s, which cannot read " +
		"it: use the newer course, or delete the data with `make wipe`": "данные в %s " +
		"записала Apache Kafka %s, а в этом курсе %s, она их не прочитает: возьми курс новее " +
		"или удали данные командой `make wipe`",
	"the data of broker %d is damaged (%s): delete all data with `make wipe`": "данные " +
		"брокера %d повреждены (%s): удали все данные командой `make wipe`",
	"the data of broker %d belongs to the cluster %s and %s says %s: delete the data with " +
		"`make wipe`, or put the old id back": "данные брокера %d - от кластера %s, а в %s " +
		"указан %s: удали данные командой `make wipe` или верни прежний id",
	"the data in %s belongs to broker %s, not to %s: delete the data with `make wipe`": "" +
		"данные в %s - от брокера %s, а не %s: удали данные командой `make wipe`",
	"the data of broker %d is gone and that of others is there (%s): delete all data with " +
		"`make wipe`": "данные брокера %d пропали, а у других они есть (%s): удали все " +
		"данные командой `make wipe`",
	"cannot make the data folder of broker %d: %s": "не получается создать папку данных " +
		"брокера %d: %s",

	// Docker and its file
	"the docker stand is for this machine only: --bind and --advertise are for the embedded " +
		"and the java one": "стенд docker - только для этой машины: --bind и --advertise есть " +
		"у стендов embedded и java",
	"there is no `docker` on PATH: install Docker, see https://docs.docker.com/get-docker/, " +
		"or set COURSE_STAND=java or embedded": "в PATH нет `docker`: установи Docker, смотри " +
		"https://docs.docker.com/get-docker/, или задай COURSE_STAND=java или embedded",
	"`docker compose version` does not work: %s; install Docker Compose %s or newer, see " +
		"https://docs.docker.com/compose/install/": "`docker compose version` не работает: " +
		"%s; установи Docker Compose %s или новее, смотри " +
		"https://docs.docker.com/compose/install/",
	"Docker Compose %s is too old for the course: install %s or newer, see " +
		"https://docs.docker.com/compose/install/": "Docker Compose %s стар для курса: " +
		"установи %s или новее, смотри https://docs.docker.com/compose/install/",
	"`docker compose %s` fails: %s": "`docker compose %s` не удаётся: %s",
	"cannot read what `docker compose ps` says: %w": "не получается прочитать ответ `docker " +
		"compose ps`: %w",
	"starting Apache Kafka %s in containers; the first time Docker fetches its image ...": "" +
		"запускаем Apache Kafka %s в контейнерах; в первый раз Docker скачивает образ ...",
	"%s cannot be read: %w":                       "не получается прочитать %s: %w",
	"%s has no service %s":                        "в %s нет сервиса %s",
	"name the file to read, and nothing else: %s": "укажи только файл, который читать: %s",
}
