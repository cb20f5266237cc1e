# What the lectures' Makefiles share. Recipes hold no shell constructs, so they run
# under cmd.exe as well, and `course run` becomes the program: Ctrl+C and the exit
# status are the program's own.
ROOT   := ../..
COURSE := $(ROOT)/bin/course
ARGS   ?=

# The language of `make help`: COURSE_LANG, else what the locale says.
LOCALE := $(or $(LC_ALL),$(LC_MESSAGES),$(LANG))
SPEAK  := $(or $(COURSE_LANG),$(if $(filter ru ru_% ru.%,$(LOCALE)),ru,en))

.DEFAULT_GOAL := help
.PHONY: help course build

help:
	$(info $(HELP.$(if $(filter ru,$(SPEAK)),ru,en)))
	@cd .

# The course's tool. `go build` does nothing when it is up to date.
course: ; @go build -C $(ROOT)/course -o ../bin/course .

# All programs of the lecture, to see whether they compile.
build: ; @go build -o $(ROOT)/bin/ ./cmd/...
