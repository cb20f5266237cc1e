package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"brew.example/course/doctor"
	"brew.example/internal/msg"
)

func newDoctorCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: msg.Text("look for what keeps the course from working here, and say the way out"),
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			failed := 0
			doctor.Examine(cmd.Context(), func(f doctor.Finding) {
				doctor.Print(a.stdout, f)
				if f.Level == doctor.Fail {
					failed++
				}
			})
			if failed > 0 {
				return msg.Errorf("%d of the lines above say fail", failed)
			}
			return nil
		},
	}
}

// The libraries whose versions matter.
const (
	franzGo   = "github.com/twmb/franz-go"
	kfakePath = franzGo + "/pkg/kfake"
)

func newVersionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: msg.Text("tell which version of the course and of the libraries this is"),
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cmd.Printf("course %s %s %s/%s\n",
				courseVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			for _, name := range []string{franzGo, kfakePath} {
				cmd.Printf("%s %s\n", name, moduleVersion(name))
			}
			return nil
		},
	}
}

// courseVersion is the commit that the tool was built from, if the go command knew it.
func courseVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(devel)"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return info.Main.Version
}

// moduleVersion is the version of a module that is compiled in.
func moduleVersion(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == path {
				return dep.Version
			}
		}
	}
	return "(unknown)"
}
