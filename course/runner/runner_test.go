package runner

import "testing"

// What go1.26 says when a program is not built.
func TestBlame(t *testing.T) {
	for output, want := range map[string]string{
		"# x/cmd\ncmd/main.go:2:15: declared and not used: x\n":                         onProgram,
		"cmd/main.go:1:1: expected 'package', found pakage\n":                           onProgram,
		"cmd/main.go:2:8: package nope/x is not in std (/usr/local/go/src/nope/x)\n":    onProgram,
		"cmd/main.go:2:8: no required module provides package example.org/x; to add it": onProgram,
		"go: parsing $GOFLAGS: unknown flag -nonsense\n":                                onGo,
		"go: unsupported GOOS/GOARCH pair plan10/amd64\n":                               onGo,
		"failed to initialize build cache at /proc/x: mkdir /proc/x: no such file":      onGo,
		"go: creating work dir: stat /nonexistent: no such file or directory\n":         onGo,
		"go: go.mod requires go >= 1.99 (running go 1.26.8; GOTOOLCHAIN=local)\n":       onGo,
		"# x/cmd\nlink: writing output: write /bin/x: no space left on device\n":        onGo,
		"": onGo,
		"go: downloading example.org/x v1.0.4\n" +
			"cmd/main.go:2:8: module lookup disabled by GOPROXY=off\n": onDownload,
		"cmd/main.go:2:8: example.org/x@v1.0.4: Get \"http://127.0.0.1:1/x/@v/v1.0.4.zip\": " +
			"dial tcp 127.0.0.1:1: connect: connection refused\n": onDownload,
		"go: downloading go1.99.0 (linux/amd64)\n" +
			"go: download go1.99.0 for linux/amd64: toolchain not available\n": onDownload,
	} {
		if got := blame(output); got != want {
			t.Errorf("%s: blamed on %s, want %s", output, got, want)
		}
	}
}

func TestBinName(t *testing.T) {
	for rel, want := range map[string]string{
		"01-foundations/01-06-first-consumer/cmd/consumer": "01-06-first-consumer-consumer",
		"03-consumer/03-05-lab/cmd/api":                    "03-05-lab-api",
		"course/cmd/text":                                  "course-text",
		"course":                                           "course",
	} {
		if got := binName(rel); got != want {
			t.Errorf("%s: %s, want %s", rel, got, want)
		}
	}
}
