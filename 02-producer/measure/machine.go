package measure

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/shirou/gopsutil/v4/cpu"
	"github.com/shirou/gopsutil/v4/load"

	"brew.example/internal/show"
	"brew.example/internal/stand"
)

// Machine returns the line that belongs to every figure: on what it was measured. It is
// the same in all languages. What the system does not tell is left out.
//
//	machine: cpu="AMD EPYC 7B13" cores=2 load=0.41 os=linux/amd64 go=go1.26.8 stand=embedded
func Machine() string {
	parts := []string{"machine:"}
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if info, err := cpu.Info(); err == nil && len(info) > 0 && info[0].ModelName != "" {
		add("cpu=%q", strings.TrimSpace(info[0].ModelName))
	}
	add("cores=%d", runtime.GOMAXPROCS(0))
	// How many processes wanted a core in the last minute: more than there are, and the
	// figures are those of a machine that does other things as well. Windows counts none.
	if avg, err := load.Avg(); err == nil && runtime.GOOS != "windows" {
		add("load=%.2f", avg.Load1)
	}
	add("os=%s/%s go=%s %s", runtime.GOOS, runtime.GOARCH, runtime.Version(), standPart())
	return strings.Join(parts, " ")
}

// standPart says what the figures are measured against.
func standPart() string {
	if os.Getenv("KAFKA_BOOTSTRAP") != "" {
		return "stand=other" // somebody's cluster, named by KAFKA_BOOTSTRAP
	}
	home, err := stand.Home()
	if err != nil {
		return "stand=unknown"
	}
	s, err := stand.Read(home)
	if err != nil {
		return "stand=unknown"
	}
	return fmt.Sprintf("stand=%s brokers=%q", show.Text(s.Kind), s.Software)
}
