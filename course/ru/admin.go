package ru

import "brew.example/internal/msg"

func init() { msg.Add(admin) }

// admin are the texts of the commands for groups and topics.
var admin = map[string]string{
	// help
	"consumer groups: list, describe, reset offsets, delete": "группы консьюмеров: список, " +
		"описание, сброс оффсетов, удаление",
	"Consumer groups of the cluster that KAFKA_BOOTSTRAP names, else of the\n" +
		"running stand: which there are, how far they have read, and how to change or\n" +
		"forget it.": "Группы консьюмеров кластера, который задан в KAFKA_BOOTSTRAP, а если он " +
		"не задан -\n" +
		"запущенного стенда: какие есть, докуда дочитали, как сдвинуть или удалить их\n" +
		"оффсеты.",
	"list the groups": "показать список групп",
	"Lists the groups of all brokers with type and state. In a group of type\n" +
		"Classic the members share out the partitions; in one of type Consumer the\n" +
		"coordinator does (KIP-848).": "Показывает группы всех брокеров, их тип и состояние. В группе типа Classic\n" +
		"партиции делят сами участники, в группе типа Consumer - координатор (KIP-848).",
	"show members, committed offsets and lag": "показать участников, закоммиченные оффсеты и лаг",
	"Shows a group: one line about all of it, then a row for each partition of the\n" +
		"topics that it reads or has commits of, then a row for each member that owns no\n" +
		"partition.\n\n" +
		"\"-\" means that there is none: no commit, no owner. The LAG of a partition without\n" +
		"a commit is all that its log holds, LOG-END-OFFSET minus the log's start; the\n" +
		"official tool prints \"-\" there.": "Показывает группу: строку о группе в целом, затем по строке на каждую партицию\n" +
		"топиков, которые она читает или в которых у неё есть коммиты, затем по строке на\n" +
		"каждого участника без партиций.\n\n" +
		"\"-\" значит, что этого нет: нет коммита, нет владельца. LAG партиции без коммита -\n" +
		"всё, что лежит в её логе: LOG-END-OFFSET минус начало лога; официальная утилита\n" +
		"печатает там \"-\".",
	"delete groups with their committed offsets": "удалить группы вместе с закоммиченными оффсетами",
	"Deletes groups with their committed offsets: the next consumer of such a name\n" +
		"starts as a new group. The records stay where they are. A group with members is\n" +
		"refused.": "Удаляет группы вместе с закоммиченными оффсетами: следующий консьюмер, " +
		"который\n" +
		"войдёт в группу с таким именем, начнёт как в новой. Записи остаются на месте.\n" +
		"Группу с участниками удалить нельзя.",
	"topics: list, create, describe, alter, delete": "топики: список, создание, описание, изменение, удаление",
	"give a topic more partitions":                  "добавить топику партиций",
	"Gives a topic more partitions and returns when each has a leader. There is no\n" +
		"way back: a topic never gets fewer. Records stay where they are, and from then on\n" +
		"many keys go to another partition than before.": "Добавляет топику партиции и завершается, когда у " +
		"каждой есть лидер. Обратного\nпути нет: убрать партиции нельзя. Записи остаются на месте, а многие " +
		"ключи с этой\nминуты попадают в другие партиции.",
	"number of partitions that the topic shall have": "сколько всего партиций должно стать у топика",
	"flag --partitions: say how many the topic shall have, 1 or more": "флаг --partitions: скажи, сколько партиций " +
		"должно стать у топика, 1 или больше",
	"topic %s has %d partitions now":                        "у топика %s теперь партиций: %d",
	"topic %s has %d partitions already, nothing to change": "у топика %s уже партиций: %d, менять нечего",
	"Topics of the cluster that KAFKA_BOOTSTRAP names, else of the running stand.": "Топики кластера, который " +
		"задан в KAFKA_BOOTSTRAP, а если он не задан - запущенного стенда.",
	"list the topics": "показать список топиков",
	"Lists the topics with their number of partitions and replicas.": "Показывает топики с числом партиций и реплик.",
	"create a topic": "создать топик",
	"Creates a topic and returns when each partition has a leader.": "Создаёт топик и завершается, когда у каждой " +
		"партиции есть лидер.",
	"show settings, leaders, replicas and offsets": "показать настройки, лидеров, реплики и оффсеты",
	"Shows a topic: its id and the settings made for it, then a row for each\n" +
		"partition. EARLIEST is the offset of the first record, LATEST the one that the\n" +
		"next record gets; TOTAL is the sum of the differences: the number of records,\n" +
		"unless some were compacted away or are marks of transactions. With -o wide the\n" +
		"settings include those that all topics of the brokers share.": "Показывает топик: его " +
		"id и заданные для него настройки, затем по строке на\n" +
		"партицию. EARLIEST - оффсет первой записи, LATEST - тот, что получит следующая;\n" +
		"TOTAL - сумма разностей. Она равна числу записей, если компакшен ничего не убрал\n" +
		"и в логе нет маркеров транзакций. С -o wide среди настроек есть и общие для всех\n" +
		"топиков брокера.",
	"delete topics with their records": "удалить топики вместе с записями",
	"Deletes topics with all their records. Groups that read such a topic are\n" +
		"named first; they do not keep it from being deleted.": "Удаляет топики вместе со всеми записями. Сначала называет " +
		"группы, которые\nчитают такой топик; удалению они не мешают.",
	"See also:": "Смотри также:",

	// flags
	"format: text, wide or json": "формат: text, wide или json",
	"print the official Kafka tool's command line for this, and do nothing": "напечатать команду официальной утилиты " +
		"Kafka для того же и ничего не делать",
	"leave the line of column heads out": "не печатать строку с заголовками столбцов",
	"print the rows alone, without heads and the line about the group": "печатать только строки партиций, без заголовков " +
		"и строки о группе",
	"print the rows alone, without heads, settings and total": "печатать только строки партиций, без заголовков, настроек " +
		"и итога",
	"do not ask": "не спрашивать",
	"a group that does not exist is no error":                         "если группы нет, это не ошибка",
	"a topic that does not exist is no error":                         "если топика нет, это не ошибка",
	"a topic that exists with these settings is no error":             "если топик уже есть с этими настройками, это не ошибка",
	"list Kafka's own topics too, such as __consumer_offsets":         "показать и служебные топики, например __consumer_offsets",
	"number of partitions; -1: the cluster's default":                 "число партиций; -1 - сколько задано в кластере",
	"number of replicas of each partition; -1: the cluster's default": "число реплик каждой партиции; -1 - сколько задано в кластере",
	"a setting, `name=value`, such as retention.ms=60000; may be given several times": "настройка, `имя=значение`, например " +
		"retention.ms=60000; можно повторять",

	// wrong usage
	"name a group: %s": "укажи группу: %s",
	"name a topic: %s": "укажи топик: %s",
	"flag --output cannot be %s: text, wide or json":     "флаг --output не может быть %s: text, wide или json",
	"flag --config cannot be %s: name=value is expected": "флаг --config не может быть %s: нужно имя=значение",
	"flag --config sets %s twice":                        "флаг --config задаёт %s дважды",
	"deleting asks first, and there is no terminal to ask on: add -y to delete without a question": "" +
		"удаление надо подтвердить, а терминала нет: добавь -y, чтобы удалить без вопроса",

	// questions and results
	"delete group %s with the committed offsets?":       "удалить группу %s вместе с закоммиченными оффсетами?",
	"delete topic %s with all records?":                 "удалить топик %s вместе со всеми записями?",
	"nothing was changed":                               "ничего не изменено",
	"group %s deleted":                                  "группа %s удалена",
	"group %s does not exist, nothing to delete":        "группы %s нет, удалять нечего",
	"topic %s created":                                  "топик %s создан",
	"topic %s exists already, nothing to create":        "топик %s уже есть, создавать нечего",
	"topic %s deleted":                                  "топик %s удалён",
	"topic %s does not exist, nothing to delete":        "топика %s нет, удалять нечего",
	"Consumer group '%s' has no active members.":        "У группы '%s' нет активных участников.",
	"Consumer group '%s' is rebalancing (%s).":          "В группе '%s' идёт ребаланс (%s).",
	"warning: topic %s is being read by members of: %s": "внимание: топик %s сейчас читают участники групп: %s",
	"note: topic %s, which group %s reads or has commits of, does not exist": "топика %s, который читает группа %s " +
		"или в котором у неё есть коммиты, нет",

	// errors
	"interrupted":                     "прервано",
	"list of the groups":              "список групп",
	"list of the groups of broker %d": "список групп брокера %d",
	"broker %d does not answer (%s): the list lacks the groups that it coordinates": "брокер %d не " +
		"отвечает (%s): в списке нет групп, которые он координирует",
	"if a broker is down, another one takes over while a majority runs: try again then": "если " +
		"брокер упал, а большинство работает, его скоро заменит другой: попробуй чуть позже",
	"a broker may be frozen or busy: see `course broker ls` or `make doctor`, and try again when " +
		"another one has taken over": "возможно, брокер завис или занят: посмотри " +
		"`course broker ls` или `make doctor` и попробуй ещё раз, когда его заменит другой",
	"one of the brokers with its replicas (%s) must run: on a stand of the course " +
		"`course broker start N`, or resume if it is paused": "должен работать хотя бы один из " +
		"брокеров с её репликами (%s): на стенде курса это `course broker start N` или resume, " +
		"если он на паузе",
	"--topic %s:P,P resets only the partitions P that it names": "--topic %s:P,P сбросит только " +
		"названные партиции P",
	"another broker takes them over when it is seen to be gone, if most of them run: try " +
		"again soon": "когда кластер " +
		"заметит, что его нет, их возьмёт другой брокер, если работает большинство: попробуй ещё раз чуть позже",
	"list of the topics":              "список топиков",
	"group %s":                        "группа %s",
	"offsets of group %s":             "оффсеты группы %s",
	"topic %s":                        "топик %s",
	"topic %s, partition %d":          "топик %s, партиция %d",
	"settings of topic %s":            "настройки топика %s",
	"no such group: %s":               "нет такой группы: %s",
	"no such topic: %s":               "нет такого топика: %s",
	"`%s` shows all":                  "полный список покажет `%s`",
	"did you mean %s? `%s` shows all": "может быть, %s? Полный список покажет `%s`",
	"topic %s exists already":         "топик %s уже есть",
	"see it with `course topic describe %s`, or add --if-not-exists to take it as it is": "посмотри на него командой " +
		"`course topic describe %s` или добавь --if-not-exists, чтобы взять его как есть",
	"group %s is %s with 1 member: client id %s":                                     "группа %s в состоянии %s, в ней 1 участник: client id %s",
	"group %s is %s with %d members: client ids %s":                                  "группа %s в состоянии %s, участников: %d, client id: %s",
	"stop it (Ctrl+C; if it was killed, wait for its session timeout) and try again": "останови его (Ctrl+C; если его убили, дождись таймаута сессии) и попробуй снова",
	"stop them (Ctrl+C; if killed, wait for the session timeout) and try again":      "останови их (Ctrl+C; если их убили, дождись таймаута сессии) и попробуй снова",
	" (static member %s still holds the group after its program has ended: wait until its session timeout " +
		"has passed)": " (статический участник %s держит место в группе и после завершения " +
		"программы: дождись, пока истечёт его таймаут сессии)",
	"group %s is of type %s, which has no committed offsets": "группа %s - типа %s, у неё нет закоммиченных оффсетов",
	"see it with the official kafka-%s-groups.sh":            "посмотри на неё официальной утилитой kafka-%s-groups.sh",

	// reset-offsets
	"set where a group goes on reading": "задать, откуда группа читает дальше",
	"Sets the committed offsets of a group without members, and so where its\n" +
		"next consumers begin. It prints what would change and changes nothing, unless\n" +
		"--execute is given. A group that does not exist is made.\n\n" +
		"Offsets outside of a log are moved to its nearest end. A partition without a\n" +
		"record at or after a given time is set to its end. A TIME without a zone is UTC,\n" +
		"as for the official tool: 2026-03-01T10:00:00.000, 2026-03-01T10:00:00+03:00. A\n" +
		"DURATION is PT1H30M, P1D or 1h30m before now.\n\n" +
		"--to is shorter for the others: earliest, latest, current, 42 (--to-offset), +5\n" +
		"and -5 (--shift-by), @TIME and @-DURATION.": "Задаёт закоммиченные оффсеты группы без " +
		"участников, то есть место, с которого\n" +
		"начнут её следующие консьюмеры. Показывает, что изменится, и без --execute ничего\n" +
		"не меняет. Если группы нет, она появится.\n\n" +
		"Оффсет за пределами лога заменяется ближайшей его границей. Если в партиции нет\n" +
		"записей не раньше указанного времени, берётся конец её лога. TIME без часового\n" +
		"пояса - это UTC, как в официальной утилите: 2026-03-01T10:00:00.000,\n" +
		"2026-03-01T10:00:00+03:00. DURATION отсчитывается назад от текущего момента:\n" +
		"PT1H30M, P1D или 1h30m.\n\n" +
		"--to - короткая запись остальных флагов: earliest, latest, current,\n" +
		"42 (--to-offset), +5 и -5 (--shift-by), @TIME и @-DURATION.",
	"a topic, or some of its partitions, `TOPIC[:0,1]`; may be given several times": "топик или часть его партиций, " +
		"`TOPIC[:0,1]`; можно повторять",
	"all partitions that the group has commits of":             "все партиции, в которых у группы есть коммиты",
	"to the first record that is there":                        "на первую из оставшихся записей",
	"to the end: only what comes is read":                      "в конец: читать только новое",
	"to where the commits are; to the end where there is none": "оставить как закоммичено; где коммита нет - в конец",
	"to `N`": "на оффсет `N`",
	"by `N` from the commits, back with a number below zero": "на `N` от коммита, с отрицательным числом - назад",
	"to the first record at or after `TIME`":                 "на первую запись не раньше `TIME`",
	"to the first record at or after `DURATION` before now":  "на первую запись за последние `DURATION`",
	"in short, `WHERE`: earliest, latest, current, N, +N, -N, @TIME, @-DURATION": "" +
		"короткая запись, `WHERE`: earliest, latest, current, N, +N, -N, @TIME, @-DURATION",
	"change nothing; so it is without --execute": "ничего не менять; так и без --execute",
	"commit the new offsets":                     "закоммитить новые оффсеты",
	"say where to, by one of: %s":                "укажи, куда сбросить, одним из флагов: %s",
	"say which partitions, by --topic or by --all-topics": "укажи, какие партиции: либо " +
		"--topic, либо --all-topics",
	"--dry-run and --execute are opposites: give one of them": "--dry-run и --execute исключают друг друга: выбери одно",
	"--execute asks first, and there is no terminal to ask on: add -y to commit without a question": "" +
		"--execute надо подтвердить, а терминала нет: добавь -y, чтобы закоммитить без вопроса",
	"flag --to-offset cannot be %s: a number from 0 on; --shift-by moves by a number": "флаг --to-offset не может быть %s: " +
		"нужно число от 0; сдвигает --shift-by",
	"flag --%s cannot be %s: offsets go up to %d": "флаг --%s не может быть %s: самый большой " +
		"оффсет - %d",
	"flag --shift-by cannot be %s: a whole number, below zero to go back": "флаг --shift-by не может быть %s: нужно целое " +
		"число, отрицательное - чтобы вернуться назад",
	"flag --to-datetime cannot be %s: 2026-03-01T10:00:00.000 (UTC) or 2026-03-01T10:00:00+03:00": "флаг --to-datetime " +
		"не может быть %s: нужно 2026-03-01T10:00:00.000 (UTC) или 2026-03-01T10:00:00+03:00",
	"flag --by-duration cannot be %s: PT1H30M, P1D or 1h30m": "флаг --by-duration не может быть %s: нужно PT1H30M, P1D или 1h30m",
	"flag --to cannot be %s: earliest, latest, current, an offset, a shift such as +5 or -5, " +
		"@ and a time, or @- and a duration": "флаг --to не может быть %s: нужно earliest, latest, current, оффсет, " +
		"сдвиг вроде +5 или -5, @ и время или @- и длительность",
	"flag --topic cannot be %s: a topic, or a topic and some of its partitions as in %s:0,1": "флаг --topic не может " +
		"быть %s: нужен топик или топик и часть его партиций, например %s:0,1",
	"topic %s, partition %d: group %s has no commit there that could be shifted": "топик %s, партиция %d: у группы %s " +
		"там нет коммита, сдвигать нечего",
	"name the other partitions, as in --topic %s:0,1, or take --to-offset": "укажи остальные " +
		"партиции, например --topic %s:0,1, или задай --to-offset",
	"group %s has no commits, so --all-topics names nothing": "у группы %s нет коммитов, " +
		"поэтому --all-topics ничего не выбирает",
	"name the topics with --topic":                              "укажи топики: --topic",
	"topic %s has no partition %d":                              "в топике %s нет партиции %d",
	"the number of its partitions is %d, and they count from 0": "всего партиций: %d, счёт с 0",
	"`course group describe` shows what is committed":           "что закоммичено, покажет `course group describe`",
	"topic %s, partition %d: %d was committed for group %s, and %s is read back": "топик %s, партиция %d: закоммичен " +
		"оффсет %d для группы %s, а прочитан потом %s",
	"see whether somebody else commits for this group":                    "посмотри, не коммитит ли за эту группу кто-то ещё",
	"note: group %s does not exist yet, these are its first offsets (%s)": "группы %s ещё нет, это её первые оффсеты (%s)",
	"note: the time is %s": "время: %s",
	"note: topic %s, partition %d: %d is below the start of the log, set to %d": "топик %s, партиция %d: %d меньше " +
		"начала лога, взято %d",
	"note: topic %s, partition %d: %d is past the end of the log, set to %d": "топик %s, партиция %d: %d больше " +
		"конца лога, взято %d",
	"note: topic %s, partition %d: no record since that time, set to the end of the log, %d": "" +
		"топик %s, партиция %d: начиная с этого времени записей нет, взят конец лога, %d",
	"note: topic %s, partition %d: no commit to keep, set to the end of the log, %d": "топик %s, партиция %d: коммита " +
		"нет, взят конец лога, %d",
	"dry run: nothing was changed; --execute commits these offsets": "пробный прогон: ничего не изменено; --execute " +
		"закоммитит эти оффсеты",
	"these offsets of group %s are committed": "эти оффсеты группы %s закоммичены",
	"commit these offsets for group %s?":      "закоммитить эти оффсеты для группы %s?",
}
