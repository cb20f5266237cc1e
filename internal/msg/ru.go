package msg

func init() { Add(Own) }

// Own are the Russian texts of this module's own packages.
var Own = map[string]string{
	// cli
	"Usage: %s [flags]\n\nFlags:\n%s": "Запуск: %s [флаги]\n\nФлаги:\n%s",
	"(default ":                       "(по умолчанию ",
	"unexpected argument %s: everything is set by flags, see --help": "лишний аргумент %s: всё " +
		"задаётся флагами, смотри --help",
	"flag --%s cannot be %s: a time above zero, such as 30s": "флаг --%s не может быть %s: " +
		"нужно время больше нуля, например 30s",
	"unknown flag %s, see --help":         "нет такого флага: %s, смотри --help",
	"flag --%s needs a value, see --help": "флагу --%s нужно значение, смотри --help",
	"flag --%s cannot be %s (expected: %s), see --help": "флаг --%s не может быть %s " +
		"(нужно: %s), смотри --help",
	"a whole number up to 32767":        "целое число не больше 32767",
	"a whole number up to 2147483647":   "целое число не больше 2147483647",
	"a whole number from 0 to 65535":    "целое число от 0 до 65535",
	"a whole number, 0 or more":         "целое число, 0 или больше",
	"a whole number":                    "целое число",
	"a time with its unit, such as 30s": "время с единицей, например 30s",
	"times with their units, such as 0s,5ms": "промежутки времени с единицами, например " +
		"0s,5ms",
	"true or false": "true или false",
	"MEMBER_ID=%q: 1 to 64 letters, digits, " +
		"dots, underscores and hyphens": "MEMBER_ID=%q: нужно от 1 до 64 латинских букв, цифр, " +
		"точек, подчёркиваний и дефисов",
	"error: %s\n": "ошибка: %s\n",
	"stop after this many records (0: no limit)": "после скольких записей остановиться (0: без " +
		"предела)",
	"stop after this time, such as 30s (0: no limit)": "через сколько остановиться, например " +
		"30s (0: без предела)",

	// kafka: environment
	"warning: KAFKA_SASL_MECHANISM=PLAIN without KAFKA_TLS=1 sends the password readable " +
		"over the network to %s": "внимание: KAFKA_SASL_MECHANISM=PLAIN без KAFKA_TLS=1 шлёт " +
		"пароль по сети открытым текстом на %s",
	"KAFKA_BOOTSTRAP=%q: %q is not an address; " +
		"write host:port,host:port": "KAFKA_BOOTSTRAP=%q: %q - не адрес; нужно " +
		"host:port,host:port",
	"no stand is running and KAFKA_BOOTSTRAP is not set: start one with `make up` (without " +
		"make: `go run ./course up`) in the course's root": "стенд не запущен, и " +
		"KAFKA_BOOTSTRAP не задан: запусти стенд командой `make up` (без make: `go run " +
		"./course up`) в корне курса",
	"%s is set and KAFKA_TLS is not: set KAFKA_TLS=1, or unset it": "%s задан, а KAFKA_TLS " +
		"нет: задай KAFKA_TLS=1 или убери эту переменную",
	"%s is set and KAFKA_BOOTSTRAP is not: the stand wants no login and no TLS; unset it, or set " +
		"KAFKA_BOOTSTRAP": "%s задан, а KAFKA_BOOTSTRAP нет: стенду не нужны ни аутентификация, " +
		"ни TLS; убери эту переменную или задай KAFKA_BOOTSTRAP",
	"KAFKA_TLS=%q: 1 for TLS, 0 or unset for none": "KAFKA_TLS=%q: 1 - с TLS, 0 или пусто - " +
		"без TLS",
	"KAFKA_TLS_CA cannot be read: %w": "KAFKA_TLS_CA не читается: %w",
	"KAFKA_TLS_CA: no certificate in %s; a PEM file is expected": "KAFKA_TLS_CA: в %s нет " +
		"сертификата; нужен файл PEM",
	"KAFKA_TLS_CERT and KAFKA_TLS_KEY go together: set both or none": "KAFKA_TLS_CERT и " +
		"KAFKA_TLS_KEY задаются вместе: либо оба, либо ни одного",
	"KAFKA_TLS_CERT and KAFKA_TLS_KEY cannot be used: %w": "KAFKA_TLS_CERT и KAFKA_TLS_KEY не " +
		"подходят: %w",
	"KAFKA_SASL_USER or KAFKA_SASL_PASSWORD is set and KAFKA_SASL_MECHANISM is not: PLAIN, " +
		"SCRAM-SHA-256 or SCRAM-SHA-512": "KAFKA_SASL_USER или KAFKA_SASL_PASSWORD задан, а " +
		"KAFKA_SASL_MECHANISM нет: нужно PLAIN, SCRAM-SHA-256 или SCRAM-SHA-512",
	"KAFKA_SASL_MECHANISM=%q: PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512": "KAFKA_SASL_MECHANISM=%q: " +
		"нужно PLAIN, SCRAM-SHA-256 или SCRAM-SHA-512",
	"KAFKA_SASL_MECHANISM=%s needs KAFKA_SASL_USER " +
		"and KAFKA_SASL_PASSWORD": "KAFKA_SASL_MECHANISM=%s требует KAFKA_SASL_USER и " +
		"KAFKA_SASL_PASSWORD",

	// kafka: notices
	"topic %s was deleted and made anew: start the consumer again": "топик %s удалили и создали " +
		"заново: запусти консьюмера ещё раз",
	"%sfetch error, going on: %s\n": "%sошибка чтения, продолжаем: %s\n",
	"%sno topic matches %s yet: waiting for one\n": "%sпод %s пока не подходит ни один топик: " +
		"ждём\n",
	"topic %s does not exist: check the spelling (course topic ls), or write to it first (make " +
		"orders)": "топика %s нет: проверь имя (course topic ls) или сначала запиши в него " +
		"заказы (make orders)",
	"%sgroup %s has committed offsets, so --from-start does nothing (to start over, stop the " +
		"group's members and run `make group-delete`)\n": "%sу группы %s есть закоммиченные " +
		"оффсеты, поэтому --from-start ничего не меняет (чтобы начать сначала, останови " +
		"участников группы и запусти `make group-delete`)\n",
	"%sno partitions assigned (%d partitions, %d members)\n": "%sпартиций не досталось " +
		"(партиций: %d, участников: %d)\n",

	// kafka: reaching brokers
	"no broker answers: %s": "ни один брокер не отвечает: %s",
	"connection refused (start the stand with `make up`; if KAFKA_BOOTSTRAP is set, check it, or " +
		"unset it to use the stand)": "connection refused - порт никто не слушает (запусти стенд " +
		"командой `make up`; если задан KAFKA_BOOTSTRAP, проверь его или убери, чтобы работать " +
		"со стендом)",
	"the name does not resolve (check KAFKA_BOOTSTRAP)": "имя не резолвится (проверь " +
		"KAFKA_BOOTSTRAP)",
	"user or password refused (check KAFKA_SASL_USER " +
		"and KAFKA_SASL_PASSWORD)": "неверный логин или пароль (проверь KAFKA_SASL_USER и " +
		"KAFKA_SASL_PASSWORD)",
	"mechanism refused (check KAFKA_SASL_MECHANISM)": "брокер не принимает такой механизм " +
		"(проверь KAFKA_SASL_MECHANISM)",
	"it wants no login (unset KAFKA_SASL_MECHANISM, " +
		"KAFKA_SASL_USER and KAFKA_SASL_PASSWORD)": "аутентификация там не нужна (убери " +
		"KAFKA_SASL_MECHANISM, KAFKA_SASL_USER и KAFKA_SASL_PASSWORD)",
	"its certificate is signed by an unknown authority " +
		"(name the CA's file in KAFKA_TLS_CA)": "сертификат подписан неизвестным " +
		"удостоверяющим центром (укажи файл CA в KAFKA_TLS_CA)",
	"its certificate is for another name (check KAFKA_BOOTSTRAP): %s": "сертификат выдан на " +
		"другое имя (проверь KAFKA_BOOTSTRAP): %s",
	"its certificate is refused (%s); ask whoever runs the cluster": "сертификат не подходит " +
		"(%s); обратись к тем, кто отвечает за кластер",
	"it does not speak TLS (unset KAFKA_TLS)": "TLS там не включён (убери KAFKA_TLS)",
	"it refuses our TLS (%s); does it want " +
		"KAFKA_TLS_CERT and KAFKA_TLS_KEY?": "он не принял наш TLS (%s); может быть, нужны " +
		"KAFKA_TLS_CERT и KAFKA_TLS_KEY?",
	"it refuses our TLS (%s); check KAFKA_TLS_CERT and KAFKA_TLS_KEY": "он не принял наш TLS " +
		"(%s); проверь KAFKA_TLS_CERT и KAFKA_TLS_KEY",
	"it closes the connection at once (does it want KAFKA_TLS=1, or a login: " +
		"KAFKA_SASL_MECHANISM?)": "он сразу закрывает соединение (может быть, нужен " +
		"KAFKA_TLS=1 или нужна аутентификация: KAFKA_SASL_MECHANISM?)",
	"it closes the connection at once (does it want KAFKA_TLS=1?)": "он сразу закрывает " +
		"соединение (может быть, нужен KAFKA_TLS=1?)",
	"it closes the connection at once (does " +
		"it speak TLS? if not, unset KAFKA_TLS)": "он сразу закрывает соединение (включён ли " +
		"там TLS? если нет, убери KAFKA_TLS)",
	"it closes the connection at once (does it speak TLS? if not, unset KAFKA_TLS; or does " +
		"it want a login: KAFKA_SASL_MECHANISM?)": "он сразу закрывает соединение (включён ли " +
		"там TLS? если нет, убери KAFKA_TLS; или нужна аутентификация: KAFKA_SASL_MECHANISM?)",
	"it closes the connection at the login (check KAFKA_SASL_MECHANISM, KAFKA_SASL_USER and " +
		"KAFKA_SASL_PASSWORD)": "он закрывает соединение при аутентификации (проверь " +
		"KAFKA_SASL_MECHANISM, KAFKA_SASL_USER и KAFKA_SASL_PASSWORD)",
	"it answers, and not as Kafka does (check the port in KAFKA_BOOTSTRAP; or does it want " +
		"KAFKA_TLS=1?)": "отвечает, но не как Kafka (проверь порт в KAFKA_BOOTSTRAP; или нужен " +
		"KAFKA_TLS=1?)",
	"%s (check KAFKA_BOOTSTRAP, KAFKA_TLS and KAFKA_SASL_MECHANISM)": "%s (проверь " +
		"KAFKA_BOOTSTRAP, KAFKA_TLS и KAFKA_SASL_MECHANISM)",
	"no answer (is it paused, busy or no Kafka? " +
		"check KAFKA_BOOTSTRAP and KAFKA_TLS)": "нет ответа (может быть, брокер заморожен, " +
		"перегружен или это не Kafka; проверь KAFKA_BOOTSTRAP и KAFKA_TLS)",
	"connection refused":        "в соединении отказано",
	"no answer in time":         "нет ответа за отведённое время",
	"the connection breaks off": "соединение обрывается",
	"%s is a folder, and the course keeps a file there: move it away": "%s - папка, а курс " +
		"держит там файл: убери её оттуда",
	" … %d characters more … ": " … ещё символов: %d … ",
	"%snot in the group yet: it waits for a member that does not answer (client id %s); one that " +
		"died is given up after its session timeout, 45 s by default\n": "%sв группу пока не " +
		"пустили: она ждёт участника, который не отвечает (client id %s); если он упал, его " +
		"исключат по таймауту сессии, по умолчанию через 45 с\n",
	"%w; the stand's log tells why: %s": "%w; причина в логе стенда: %s",
	"%smissed: %d records expired unread (topic %s, partition %d, offsets %d to %d); " +
		"the log begins at %d now\n": "%sпропущено записей: %d, они удалены до прочтения (топик " +
		"%s, партиция %d, оффсеты от %d до %d); лог теперь начинается с %d\n",
	"%v; still trying\n":           "%v; пробуем дальше\n",
	"a broker answers again: %s\n": "брокер снова отвечает: %s\n",

	// kafka: topics and groups
	"topic %q is not a regular expression": "топик %q - не регулярное выражение",
	"topic %.260q: a name has 1 to 249 letters, " +
		"digits, dots, underscores and hyphens": "топик %.260q: имя состоит из 1-249 латинских " +
		"букв, цифр, точек, подчёркиваний и дефисов",
	"%d partitions: a topic has 1 or more (-1: " +
		"as many as the cluster's default)": "партиций %d: нужна 1 или больше (-1: сколько " +
		"задано в кластере)",
	"replication factor %d: 1 or more (-1: the cluster's default)": "фактор репликации %d: " +
		"нужен 1 или больше (-1: как задано в кластере)",
	"group %.60q: a group needs a name, its offsets are kept under it": "группа %.60q: группе " +
		"нужно имя, под ним хранятся её оффсеты",
	"topic %s: replication factor %d needs as " +
		"many brokers, and the cluster has fewer": "топик %s: для фактора репликации %d нужно " +
		"столько же брокеров, а в кластере их меньше",
	"topic %s does not exist and this user may not " +
		"create it: ask whoever runs the cluster": "топика %s нет, а создать его этому " +
		"пользователю нельзя: попроси тех, кто отвечает за кластер",
	"topic %s cannot stand beside %s: in the names of metrics a dot and an underscore are the " +
		"same": "топик %s не может существовать рядом с %s: в именах метрик точка и " +
		"подчёркивание - одно и то же",
	"create topic %s: %s": "не получается создать топик %s: %s",
	"create topic %s: %w": "не получается создать топик %s: %w",
	"topic %s: %w":        "топик %s: %w",
	"topic %s: no answer for %s; it takes a controller, and so a majority of the brokers, and " +
		"none that is frozen (see `make broker-ls`)": "топик %s: %s никто не отвечает; нужен " +
		"контроллер, то есть большинство брокеров, и ни одного зависшего (смотри `make broker-ls`)",
	"topic %s: its partitions have no leaders yet: %w": "топик %s: у его партиций ещё нет " +
		"лидеров: %w",
	"topic %s exists with another setting (%s: %s, wanted %s): ask for that one, or delete " +
		"the topic first (course topic delete %s)": "топик %s уже есть с другой настройкой " +
		"(%s: %s, а нужно %s): запроси такую же или сначала удали топик (course topic delete " +
		"%s)",
	"topic %s: %w: %s": "топик %s: %w: %s",
	"topic %s has %d partitions and cannot get down to %d: make another topic and copy the " +
		"records": "в топике %s партиций: %d, уменьшить до %d нельзя: создай другой топик и " +
		"скопируй записи в него",
	"list the offsets of %s: %w": "не получается узнать оффсеты топика %s: %w",

	// stand
	"COURSE_HOME=%q is not an absolute path; " +
		"write it from the root, or unset it": "COURSE_HOME=%q - не абсолютный путь; напиши " +
		"его от корня или убери переменную",
	"no course folder here or above: go to a clone of the course, or set COURSE_HOME or " +
		"KAFKA_BOOTSTRAP": "ни здесь, ни выше нет папки курса: перейди в клон курса или задай " +
		"COURSE_HOME или KAFKA_BOOTSTRAP",
	"COURSE_PORT=%q is not the first port of " +
		"a stand: a number from 1024 to 65500": "COURSE_PORT=%q не годится как первый порт " +
		"стенда: нужно число от 1024 до 65500",
	"COURSE_STAND=%q is not a kind of stand: embedded, java or docker": "COURSE_STAND=%q - нет " +
		"такого вида стенда: нужно embedded, java или docker",
	"%s is damaged (%w); see what runs with `make status`": "%s повреждён (%w); посмотри, " +
		"что запущено: `make status`",
	"%s is of version %d and this course knows up to %d: use the newer course, or another " +
		"COURSE_HOME": "%s версии %d, а этот курс знает версии до %d: возьми курс поновее или " +
		"другой COURSE_HOME",

	// kafka.Watch
	"[%s] %v; still watching\n":        "[%s] %v; продолжаем наблюдать\n",
	"[%s] the cluster answers again\n": "[%s] кластер снова отвечает\n",
	"flag --interval cannot be %s: 10ms or more, such as 500ms": "" +
		"флаг --interval не может быть %s: не меньше 10ms, например 500ms",
}
