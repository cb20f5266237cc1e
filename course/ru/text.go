package ru

import "brew.example/internal/msg"

func init() { msg.Add(textTexts) }

// textTexts are the texts of the tool that keeps the lectures true.
var textTexts = map[string]string{
	" (- only in the text, + only in the run):\n%s": " (- только в тексте, + только в " +
		"запуске):\n%s",
	"%d sections, in English %d":       "разделов %d, в английском тексте %d",
	"%d words: a lecture has %d to %d": "слов %d, а в лекции их от %d до %d",
	"%s is not built: %s":              "%s не собирается: %s",
	"%s ended with status %d, not %d (a block whose command " +
		"must fail says exit=%d)": "%s завершилась с кодом возврата %d, а не %d (если команда " +
		"блока должна упасть, пиши exit=%d)",
	"%s of line %d in %s: %s": "%s из строки %d в %s: %s",
	"%s of line %d still runs in %s: end it with ^C, " +
		"or use another terminal (%s)": "%s из строки %d всё ещё работает в %s: заверши её " +
		"через ^C или возьми другой терминал (%s)",
	"%s printed lines after its last " +
		"block that no block shows:\n%s": "%s после своего последнего блока напечатала строки, " +
		"которых нет ни в одном блоке:\n%s",
	"%s still runs in %s when the " +
		"text ends: end it with ^C (%s)": "%s всё ещё работает в %s, когда текст кончился: " +
		"заверши её через ^C (%s)",
	"%s:%d: region %s never ends":        "%s:%d: регион %s не закрыт",
	"; the command ended with status %d": "; команда завершилась с кодом возврата %d",
	"; the command still runs":           "; команда ещё работает",
	"; the last line came at %s":         "; последняя строка пришла в %s",
	"a marker stands on lines of its own, with an " +
		"empty line between it and HTML": "маркер стоит на отдельной строке, между ним и HTML " +
		"нужна пустая строка",
	"a prompt without a command": "приглашение без команды",
	"a region's name is lower-case letters, digits and hyphens": "имя региона - строчные " +
		"латинские буквы, цифры и дефисы",
	"a run block's language is console, not %s": "язык блока run - console, а не " +
		"%s",
	"a second heading of level one: a lecture has one title": "второй заголовок первого уровня: " +
		"название у лекции одно",
	"a second run came out otherwise than the first; nothing was written. The marker may " +
		"need any-order, " +
		"merge, vary= or about=:\n%s": "второй запуск дал не то, что первый; ничего не " +
		"записано. Возможно, маркеру нужен any-order, merge, vary= или about=:\n%s",
	"answer %d is empty":                  "ответ %d пуст",
	"attribute %q is not legal: %s":       "атрибут %q недопустим: %s",
	"attribute %s is given twice":         "атрибут %s задан дважды",
	"before answer %d no question stands": "перед ответом %d нет вопроса",
	"check the lectures' texts against their code and real runs": "сверить тексты лекций с " +
		"кодом и с настоящими запусками",
	"code by indentation: put it between " +
		"fences with a marker above": "код с отступом: оформи его блоком ``` с маркером над ним",
	"code: %s has no region %s":             "code: в %s нет региона %s",
	"code: %s is not path#region":           "code: %s - это не путь#регион",
	"code: %s leads out of the course":      "code: %s ведёт за пределы курса",
	"code: region %s of %s is empty":        "code: регион %s в %s пуст",
	"code: there is no %s":                  "code: нет файла %s",
	"differs from %s:%d: %s":                "расходится с %s:%d: %s",
	"fence":                                 "блока кода",
	"flag --jobs cannot be %d: at least 1":  "флаг --jobs не может быть %d: нужно 1 и больше",
	"flag --lang cannot be %s: en, ru":      "флаг --lang не может быть %s: только en, ru",
	"heading of level two":                  "заголовка второго уровня",
	"how many texts to replay side by side": "сколько текстов прогонять одновременно",
	"it is marked %s:, in English %s:":      "маркер здесь %s:, в английском тексте %s:",
	"it shows %s#%s, in English %s#%s":      "здесь показан %s#%s, в английском тексте %s#%s",
	"it stands in section %s, in English in %s": "блок стоит в разделе %s, в английском тексте " +
		"- в %s",
	"its language is %s, in English %s": "язык блока %s, в английском тексте %s",
	"line %d: what comes there holds the " +
		"fence %s: take a longer one": "строка %d: в новом содержимом есть ограничитель %s: " +
		"возьми подлиннее",
	"lines before its first command": "строки до первой команды",
	"link %q: %s has %d lines":       "ссылка %q: в %s строк %d",
	"link %q: %w":                    "ссылка %q: %w",
	"link %q: in a file that is not Markdown only lines " +
		"can be linked, like #L10-L20": "ссылка %q: если файл не Markdown, сослаться можно " +
		"только на строки, например #L10-L20",
	"link %q: it leads out of the course": "ссылка %q: она ведёт за пределы курса",
	"link %q: no heading here makes that anchor": "ссылка %q: ни один заголовок этого файла не " +
		"даёт такого якоря",
	"link %q: no heading of %s makes that anchor": "ссылка %q: ни один заголовок в %s не даёт " +
		"такого якоря",
	"link %q: there is no %s":                 "ссылка %q: нет файла %s",
	"link %q: write it relative to this file": "ссылка %q: пиши её относительно этого файла",
	"no lecture %q: give its number (01-06), its folder's " +
		"name or a path; there are %s": "нет лекции %q: укажи номер (01-06), имя папки или " +
		"путь; есть %s",
	"no lectures in %s: their folders are " +
		"called NN-module/NN-NN-name": "в %s нет лекций: их папки называются " +
		"NN-module/NN-NN-name",
	"no region is open here": "здесь нет открытого региона",
	"no time stands under the title: say how long the lecture " +
		"takes, like \"25 minutes\"": "под названием нет времени: напиши, сколько займёт " +
		"лекция, например «25 минут»",
	"none":                         "ни одной",
	"not all lines came within %s": "не все строки пришли за %s",
	"not right: %d of %d":          "расхождения: в %d из %d",
	"nothing runs in %s that ^C could stop: " +
		"the command ended by itself": "в %s нечего останавливать через ^C: команда завершилась " +
		"сама",
	"nothing runs in %s that could print on: the command " +
		"ended in an earlier block": "в %s больше некому печатать: команда завершилась в одном " +
		"из прошлых блоков",
	"only read: replay nothing": "только читать, ничего не запускать",
	"regions overlap: %s of line %d must end first": "регионы перекрываются: сначала должен " +
		"закрыться %s из строки %d",
	"rewrite code blocks from the code, and outputs that " +
		"are no longer true from runs": "переписать блоки кода по исходникам, а устаревший " +
		"вывод - по запускам",
	"say what in the texts is not true, with file and line": "показать, что в текстах " +
		"неправда, с файлом и строкой",
	"section %s comes where %s should: the order is %s": "раздел %s стоит там, где должен быть " +
		"%s: порядок такой: %s",
	"section %s has %d answers in <details>: it needs " +
		"%d questions, each with one": "в разделе %s ответов в <details> %d, а вопросов нужно " +
		"%d, у каждого свой ответ",
	"section %s has %d headings below it, in English %d": "в разделе %s подзаголовков %d, в " +
		"английском тексте %d",
	"section %s has no block with a marker %s:": "в разделе %s нет блока с маркером " +
		"%s:",
	"section %s is out of order: the order is %s": "раздел %s не на своём месте: порядок такой: " +
		"%s",
	"section %s stands where the English text has %s": "раздел %s стоит там, где в английском " +
		"тексте %s",
	"stopped before the replay was through": "остановлено до конца прогона",
	"terminal %s was never opened: its first block " +
		"begins with a command ($ …)": "терминал %s не открывали: его первый блок начинается с " +
		"команды ($ …)",
	"texts cannot be replayed on %s, only read: add --static": "на %s тексты можно только " +
		"читать, но не прогонять: добавь --static",
	"texts cannot be replayed on the stand %q: embedded or java": "на стенде %q тексты не " +
		"прогнать: нужен embedded или java",
	"cannot empty the stand for the next text: %w": "не получается очистить стенд для " +
		"следующего текста: %w",
	"the <details> of answer %d never ends": "<details> ответа %d не закрыт",
	"the English text has no such block":    "в английском тексте такого блока нет",
	"the attributes of its marker run:":     "атрибуты маркера run:",
	"the block of %s:%d is missing here":    "здесь нет блока из %s:%d",
	"the block shows nothing: that nothing " +
		"comes is claimed with quiet=2s": "блок пуст: утверждение, что ничего не приходит, " +
		"пишется как quiet=2s",
	"the code (- English, + here):\n%s": "код (- в английском, + здесь):\n%s",
	"the code is not that of %s#%s (- in the text, + in the source; `make " +
		"text` takes it over):\n%s": "код не совпадает с %s#%s (- в тексте, + в исходнике; " +
		"`make text` перенесёт его):\n%s",
	"the command does not end after ^C": "команда не завершается после ^C",
	"the command does not end and another one follows: end it with " +
		"^C, or use another terminal": "команда не завершается, а за ней идёт следующая: " +
		"заверши её через ^C или возьми другой терминал",
	"the command does not end, and exit= says that it does": "команда не завершается, хотя " +
		"exit= обещает обратное",
	"the command ended before all lines had come": "команда завершилась раньше, чем пришли все " +
		"строки",
	"the command has ended, but what it left in the background " +
		"still runs or holds its output": "команда завершилась, но запущенное ею в фоне ещё " +
		"работает или держит её вывод",
	"the commands (- English, + here):\n%s": "команды (- в английском, + здесь):\n%s",
	"the course's tool to start stands " +
		"with (built if not given)": "утилита курса, которой запускать стенды (если не задана, " +
		"будет собрана)",
	"the fence has no marker above it: code:, run:, " +
		"or plain: with the reason": "над блоком нет маркера: code:, run: или plain: с причиной",
	"the fence names no language: console, " +
		"go, yaml, mermaid, text": "у блока не указан язык: console, go, yaml, mermaid, text",
	"the fence never closes": "блок не закрыт",
	"the file begins with a byte order mark: " +
		"save it as UTF-8 without one": "файл начинается с BOM: сохрани его в UTF-8 без него",
	"the file has a region of that name already": "регион с таким именем в файле уже " +
		"есть",
	"the file is missing": "файла нет",
	"the first command must be `%s`: without it " +
		"a reader sees English output": "первой командой должно быть `%s`: иначе читатель " +
		"увидит английский вывод",
	"the heading has no marker above it: section: " +
		"and the section's name": "над заголовком нет маркера section: с именем раздела",
	"the kind of stand to replay on: embedded or java": "вид стенда для прогона: embedded или java",
	"the languages to check: en, ru":                   "какие языки проверять: en, ru",
	"the line ends with CR LF: save the file with LF alone": "строка кончается на CR LF: " +
		"сохрани файл с одними LF",
	"the line is not UTF-8": "строка не в UTF-8",
	"the lines between two … no longer come: " +
		"put other ones there by hand": "строки между двумя … больше не приходят: замени их " +
		"вручную",
	"the marker %s: says nothing":       "маркер %s: пуст",
	"the marker %s: stands above no %s": "под маркером %s: нет %s",
	"the output line %q has bytes that a text cannot show": "в строке вывода %q есть байты, " +
		"которые в тексте не показать",
	"the output line %q would read as a step of the block": "строка вывода %q читалась бы как " +
		"шаг блока",
	"the output, the catalogue's lines exchanged " +
		"(- English, + here):\n%s": "вывод с учётом перевода строк по каталогу (- в английском, " +
		"+ здесь):\n%s",
	"the text ends while not all brokers run: %s; start them in its last block": "" +
		"в конце текста работают не все брокеры: %s; запусти их в последнем блоке",
	"the stand: `course %s`: %w: %s":   "стенд: `course %s`: %w: %s",
	"the text ends without section %s": "текст кончается без раздела %s",
	"the text has no title: a heading " +
		"of level one in its first line": "у текста нет названия: заголовка первого уровня в " +
		"первой строке",
	"the text takes %s minutes, the English one %s": "по тексту лекция займёт %s минут, по " +
		"английскому - %s",
	"unknown attribute %q of code: it takes " +
		"path#region and nothing else": "у code нет атрибута %q: только путь#регион и больше " +
		"ничего",
	"unknown attribute %q of run: cold, any-order, merge, vary=A,B, about=RATE, quiet=2s, " +
		"stand=kafka, " +
		"stand=embedded or exit=1": "у run нет атрибута %q: бывают cold, any-order, merge, " +
		"vary=A,B, about=RATE, quiet=2s, stand=kafka, stand=embedded и exit=1",
	"unknown marker %q: code:, run:, plain: or section:": "нет такого маркера: %q; бывают " +
		"code:, run:, plain: и section:",
	"unknown section %q: %s": "нет такого раздела: %q; бывают %s",
	"unknown terminal %q: a run marker " +
		"begins with t1, t2, t3 or t4": "нет такого терминала: %q; маркер run начинается с t1, " +
		"t2, t3 или t4",
	"waited since %s for %s": "ждали с %s, всего %s",
	"what %s left in the background still runs in " +
		"%s, or holds its output (%s)": "запущенное в фоне командой %s ещё работает в %s или " +
		"держит её вывод (%s)",
	"what came is not what the text shows": "пришло не то, что показано в тексте",
	"wrote %s\n":                           "записан %s\n",
}
