package main

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"brew.example/internal/kafkatest"
)

// terminal returns a terminal on which somebody has typed the answer.
func terminal(t testing.TB, answer string) *os.File {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminal can be made here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { slave.Close() })
	if _, err := master.WriteString(answer); err != nil {
		t.Fatal(err)
	}
	return slave
}

// On a terminal --execute asks, after the plan; also when stdout is to be JSON alone.
func TestResetAsks(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 3)
	commit(t, c, kitchen, orders, 1)
	const plan = "TOPIC PARTITION OLD NEW DELTA\nbrew.orders.v1 0 1 3 +2\n"
	const question = "commit these offsets for group brew.kitchen-service? [y/N] "
	const refused = `{"error":{"code":"NOT_CONFIRMED","message":"nothing was changed","hint":null}}`
	for _, row := range []struct {
		answer, format string
		status         int
		stdout, stderr string
		committed      int64
	}{
		{"n\n", "text", 1, plan, question + "error: nothing was changed", 1},
		{"\n", "json", 1, "", plan + question + refused, 1},
		{"y\n", "text", 0, plan,
			question + "these offsets of group brew.kitchen-service are committed", 3},
	} {
		var stdout, stderr bytes.Buffer
		a := &app{stdin: terminal(t, row.answer), stdout: &stdout, stderr: &stderr}
		root := &cobra.Command{Use: "course", SilenceErrors: true, SilenceUsage: true}
		root.AddCommand(newGroupCommand(a))
		root.SetArgs([]string{"group", "reset-offsets", kitchen, "--topic", orders, "--to-latest",
			"--execute", "-o", row.format})
		status := a.report(root.ExecuteContext(kafkatest.Context(t)))
		ran{status, stdout.String(), stderr.String()}.want(t, row.status, row.stdout, row.stderr)
		wantCommits(t, c, kitchen, orders, row.committed)
	}
}
