// Command brokers prints what docker-compose.yml says about the brokers, as JSON:
// `course up` builds it and asks it when COURSE_STAND is java. It is a program of its own
// so that whoever stays with the embedded stand need not compile a reader of such files.
package main

import (
	"context"
	"encoding/json"
	"os"

	"brew.example/course/brokers/compose"
	_ "brew.example/course/ru"
	"brew.example/internal/cli"
)

func main() { os.Exit(cli.Status(run(os.Args[1:]))) }

func run(args []string) error {
	if len(args) != 1 {
		return cli.Usagef("name the file to read, and nothing else: %s", compose.File)
	}
	settings, err := compose.Read(context.Background(), args[0])
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(settings)
}
