// Command kitchen plays the program of a lecture: it prints a table, waits for
// Ctrl+C, and can do wrong whatever a program can do wrong.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

// region texts
var russian = map[string]string{
	"kitchen serves on localhost:%s; Ctrl+C ends it.\n": "кухня работает на localhost:%s; Ctrl+C остановит её.\n",
	"guest %s came at %s\n":                             "гость %s пришёл в %s\n",
	"kitchen stopped by signal.\n":                      "кухня остановлена по сигналу.\n",
	"%d guests in all.\n":                               "всего гостей: %d.\n",
	"no stand runs.\n":                                  "стенд не запущен.\n",
}

// endregion texts

func say(format string, args ...any) {
	if ru, ok := russian[format]; ok && os.Getenv("COURSE_LANG") == "ru" {
		format = ru
	}
	fmt.Printf(format, args...)
}

func home(name string) string { return filepath.Join(os.Getenv("COURSE_HOME"), name) }

func main() {
	args := os.Args[1:]
	switch args[0] {
	case "rows":
		rows()
	case "serve":
		serve(args[1:])
	case "say":
		tell(args[1])
	case "status":
		if _, err := os.Stat(home("stand.json")); err != nil {
			say("no stand runs.\n")
		} else {
			fmt.Println("stand:", os.Getenv("COURSE_PORT"))
		}
	}
}

// rows prints the rows in an order that changes from run to run.
func rows() {
	// region rows
	fmt.Println("PARTITION  OFFSET  KEY      BROKER-TS")
	first := time.Now().Nanosecond() / 1000 % 2
	for _, p := range []int{first, 1 - first} {
		// region row
		for offset := range 2 {
			fmt.Printf("%-9d  %-6d  order-%d  %s\n", p, offset, 2*p+offset, clock())
		}
		// endregion row
	}
	// endregion rows
	say("%d guests in all.\n", 4)
}

func clock() string { return time.Now().Format("15:04:05.000") }

// tell adds a guest for serve to greet.
func tell(guest string) {
	f, err := os.OpenFile(home("guests"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
	fmt.Fprintln(f, guest)
	f.Close()
	fmt.Println("said:", guest)
}

// serve greets guests until Ctrl+C. Its flags are the ways to do wrong.
func serve(flags []string) {
	does := map[string]bool{}
	for _, flag := range flags {
		does[flag] = true
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	if does["--crash"] {
		os.Exit(1)
	}
	say("kitchen serves on localhost:%s; Ctrl+C ends it.\n", os.Getenv("COURSE_PORT"))
	if does["--end"] {
		return
	}
	go greet()
	<-stop
	for does["--deaf"] {
		<-stop
	}
	say("kitchen stopped by signal.\n")
	// make 4.3 stumbles over a child that is gone within some 5 ms of Ctrl+C.
	time.Sleep(50 * time.Millisecond)
	if does["--chatty"] {
		fmt.Println("and one line more.")
	}
	if does["--fail"] {
		os.Exit(1)
	}
}

func greet() {
	var in *bufio.Reader
	for ; ; time.Sleep(5 * time.Millisecond) {
		if in == nil {
			f, err := os.Open(home("guests"))
			if err != nil {
				continue
			}
			in = bufio.NewReader(f)
		}
		line, err := in.ReadString('\n')
		if err == io.EOF {
			continue
		}
		say("guest %s came at %s\n", strings.TrimSpace(line), time.Now().Format("15:04:05"))
	}
}
