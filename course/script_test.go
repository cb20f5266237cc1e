//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs testdata/script: what a learner types and what comes, to the letter.
// PORT stands for the first port of the script's stand.
func TestScripts(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			p := newPlace(env.T().(testing.TB))
			port := strconv.Itoa(p.port)
			env.Vars = append(env.Vars,
				asTool+"=1", "COURSE_HOME="+p.home, "COURSE_PORT="+port, "COURSE_LANG=en",
				"P0="+port, "P1="+strconv.Itoa(p.port+1), "P2="+strconv.Itoa(p.port+2))
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			// course CODE ARGS... runs the tool and checks its exit status.
			"course": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) == 0 {
					ts.Fatalf("usage: course STATUS ARGUMENTS...")
				}
				code := 0
				if err := ts.Exec(self, args[1:]...); err != nil {
					exit, ok := err.(interface{ ExitCode() int })
					if !ok {
						ts.Fatalf("%v", err)
					}
					code = exit.ExitCode()
				}
				if strconv.Itoa(code) != args[0] {
					ts.Fatalf("exit %d: stdout: %s\nstderr: "+
						"%s", code, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
				}
			},
		},
	})
}
