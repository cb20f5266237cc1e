# What the Makefiles share. Recipes hold no shell constructs, so that they run under
# cmd.exe as well, and `course run` becomes the program: Ctrl+C and the exit status are
# the program's own.
ROOT   ?= ../..
COURSE := $(ROOT)/bin/course
ARGS   ?=

# The language of `make help`: COURSE_LANG, else what the locale says.
LOCALE := $(or $(LC_ALL),$(LC_MESSAGES),$(LANG))
SPEAK  := $(or $(COURSE_LANG),$(if $(filter ru ru_% ru.%,$(LOCALE)),ru,en))
RUSSIAN := $(filter ru,$(SPEAK))

FIRST.en := building the course's tool; the first time this takes about half a minute
FIRST.ru := собираем утилиту курса; в первый раз это занимает около полминуты

# What is built here runs here, whatever the shell cross-compiles for.
unexport GOOS GOARCH

.DEFAULT_GOAL := help
.PHONY: help course build up down status wipe doctor

help:
	$(info $(HELP.$(or $(RUSSIAN),en)))
	@cd .

# The course's own tool, built when a source is newer: asking the go command each time
# would cost every target some 0.3 s.
TOOL := $(wildcard $(foreach d,course course/* course/*/* internal/*,$(ROOT)/$d/*.go $(ROOT)/$d/go.*))

course: $(COURSE)

$(COURSE): $(TOOL)
	$(if $(wildcard $@*),,$(info $(FIRST.$(or $(RUSSIAN),en))))
	@go build -C $(ROOT)/course -o ../bin/course .

# The stand, from any folder.
up down status wipe doctor: course ; @$(COURSE) $@ $(ARGS)

# Single brokers of a real Kafka (COURSE_STAND=java or docker): make broker-kill N=1
.PHONY: broker-ls broker-stop broker-kill broker-pause broker-resume broker-start
broker-ls: course ; @$(COURSE) broker ls
broker-stop broker-kill broker-pause broker-resume broker-start: course
	@$(COURSE) broker $(@:broker-%=%) $(N)

# Everything below this folder that is a program, to see whether it compiles.
build: ; @go build -o $(ROOT)/bin/build/ $(or $(BUILD),./cmd/...)
