//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"brew.example/internal/kafkatest"
)

// asLearner runs the tool as a process of its own, in a language, on the cluster of
// KAFKA_BOOTSTRAP.
func asLearner(t testing.TB, lang string, args ...string) ran {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(kafkatest.Context(t), self, args...)
	cmd.Env = append(os.Environ(), asTool+"=1", "COURSE_LANG="+lang)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return ran{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// The whole program: exit statuses, and the same in Russian. Table heads stay.
func TestResetInBothLanguages(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 10, 0)
	commit(t, c, kitchen, orders, 5)
	for _, row := range []struct {
		lang   string
		status int
		args   string
		stdout string
		stderr string
	}{
		{"en", 0, "--topic brew.orders.v1 --to-offset 12", `
TOPIC PARTITION OLD NEW DELTA
brew.orders.v1 0 5 10 +5
brew.orders.v1 1 - 0 -`, `
note: topic brew.orders.v1, partition 0: 12 is past the end of the log, set to 10
note: topic brew.orders.v1, partition 1: 12 is past the end of the log, set to 0
` + dryRun},
		{"ru", 0, "--topic brew.orders.v1 --to-offset 12", `
TOPIC PARTITION OLD NEW DELTA
brew.orders.v1 0 5 10 +5
brew.orders.v1 1 - 0 -`, `
топик brew.orders.v1, партиция 0: 12 больше конца лога, взято 10
топик brew.orders.v1, партиция 1: 12 больше конца лога, взято 0
пробный прогон: ничего не изменено; --execute закоммитит эти оффсеты`},
		{"ru", 1, "--topic brew.orders.v1 --shift-by -1", "", `
ошибка: топик brew.orders.v1, партиция 1: у группы brew.kitchen-service там нет коммита, ` +
			"сдвигать нечего; укажи остальные партиции, например --topic brew.orders.v1:0,1, " +
			"или задай --to-offset"},
		{"ru", 2, "--topic brew.orders.v1", "", "ошибка: укажи, куда сбросить, одним из флагов: " +
			"--to-earliest, --to-latest, --to-current, --to-offset, --shift-by, --to-datetime, " +
			"--by-duration, --to"},
		{"ru", 2, "--all-topics --to @-x", "", "ошибка: флаг --to не может быть @-x: " +
			"нужно earliest, latest, current, оффсет, сдвиг вроде +5 или -5, @ и время " +
			"или @- и длительность"},
		{"ru", 2, "--all-topics --to 1 --execute", "", "ошибка: --execute надо подтвердить, " +
			"а терминала нет: добавь -y, чтобы закоммитить без вопроса"},
		{"en", 2, "--all-topics --to 1 --now", "", "error: unknown flag --now, see --help"},
		{"ru", 0, "--all-topics --to -1 --execute -y",
			"TOPIC PARTITION OLD NEW DELTA\nbrew.orders.v1 0 5 4 -1",
			"эти оффсеты группы brew.kitchen-service закоммичены"},
	} {
		args := append([]string{"group", "reset-offsets", kitchen}, strings.Fields(row.args)...)
		t.Run(row.lang+" "+row.args, func(t *testing.T) {
			asLearner(t, row.lang, args...).want(t, row.status, row.stdout, row.stderr)
		})
	}
	wantCommits(t, c, kitchen, orders, 4)
}
