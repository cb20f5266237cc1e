ROOT  := .
BUILD := brew.example/...
include lecture.mk

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: demo test test-kafka lint bench text

demo: course ; @$(COURSE) demo

# Everything that needs Go alone. CI runs this. The tests of the tool start it as a process
# again and again, which with the race detector takes twice as long and finds nothing in it;
# what of it runs in the test's own process is tested with it. -count=1: the texts and the
# rules look at files of other modules, and Go's cache of test results does not know of those.
test: lint
	@$(MAKE) --no-print-directory --jobs=2 test-race test-plain

# Side by side, since both mostly wait.
.PHONY: test-race test-plain
test-race: export GORACE = atexit_sleep_ms=50
test-race: ; go test $(RACE) -count=1 -p 3 $(MODULES) $(IN_PROCESS)
test-plain: ; go test -count=1 $(PLAIN)

IN_PROCESS = $(addprefix brew.example/course/,admin daemon standctl)
PLAIN   = brew.example/course/... brew.example/internal/repo
MODULES = $(sort $(foreach d,$(wildcard 0*/*/cmd),brew.example/$(firstword $(subst /, ,$d))/...)) \
	$(filter-out %/repo,$(shell go list brew.example/internal/...))

# The race detector needs a C compiler; the go command knows whether there is one.
RACE = $(if $(filter 1,$(shell go env CGO_ENABLED)),-race)

# The same on a real Apache Kafka; needs a JDK of 17 or newer and Maven. Two at a time: each
# stand is three JVMs, and mostly waited for. foreign runs other people's clients against the
# embedded stand: franz-go's own tests, Java's tools, and kcat where it is installed.
test-kafka: export COURSE_TEST_KAFKA = 1
test-kafka: ; @$(MAKE) --no-print-directory --jobs=2 kafka-texts kafka-brokers kafka-facts foreign

ON_KAFKA = go test -C course -count=1 -p 1 -timeout 20m
.PHONY: kafka-texts kafka-brokers kafka-facts foreign
kafka-texts:   ; $(ON_KAFKA) -run TestLectures ./cmd/text -stand=java
kafka-brokers: ; $(ON_KAFKA) -run 'Java|Real|Image|Sums' ./brokers .
kafka-facts:   ; $(ON_KAFKA) ./differences
foreign:       ; $(ON_KAFKA) -parallel 4 ./foreign

lint:
	go vet brew.example/...
	go run $(STATICCHECK) brew.example/...

bench: course ; @$(COURSE) bench

# Rewrite the lectures' code blocks from the code and their outputs from real runs.
text: course ; @$(COURSE) text update

define HELP.en
make demo    ten orders go into Kafka, and a consumer group reads them
make up      start the stand: three brokers on localhost, no Docker
make down    stop it; its records stay
make status  what runs, since when, with how much memory
make wipe    stop it and delete its records
make doctor  check this machine, the stand and the settings
make test    all tests and the linters
make test-kafka  tests and texts on a real Apache Kafka (JDK 17+, Maven)
make bench   measure the stand
make text    rewrite the lectures' code and output blocks
make build   compile everything
The lectures have targets of their own: cd 01-foundations/01-05-first-producer; make
endef

define HELP.ru
make demo    записать десять заказов и прочитать их группой консьюмеров
make up      запустить стенд: три брокера на localhost, без Docker
make down    остановить его; записи останутся
make status  что запущено, с каких пор, сколько памяти
make wipe    остановить его и удалить записи
make doctor  проверить машину, стенд и настройки
make test    все тесты и линтеры
make test-kafka  тесты и тексты на настоящей Apache Kafka (JDK 17+, Maven)
make bench   измерить стенд
make text    обновить блоки кода и вывода в лекциях
make build   собрать всё
У лекций свои цели: cd 01-foundations/01-05-first-producer; make
endef
