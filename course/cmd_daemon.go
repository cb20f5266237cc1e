package main

import (
	"context"
	"io"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"brew.example/course/daemon"
	"brew.example/course/standctl"
	"brew.example/internal/stand"
)

// newDaemonCommand returns the hidden command that is the embedded stand. `course up`
// starts it and reads from its standard output whether it is ready.
func newDaemonCommand(a *app) *cobra.Command {
	var home string
	var first int
	var o standctl.UpOptions
	cmd := &cobra.Command{
		Use:    standctl.DaemonVerb,
		Hidden: true,
		Args:   noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			// A parent that is gone shall show as an error of the report, not as a signal.
			signal.Ignore(syscall.SIGPIPE)
			if err := a.serve(cmd.Context(), home, o, stand.Ports(first)); err != nil {
				_ = standctl.Report(a.stdout, stand.State{}, err)
				return err
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&home, "home", "", "folder of the stand")
	cmd.Flags().IntVar(&first, "first-port", stand.DefaultPort, "port of the first broker")
	cmd.Flags().StringVar(&o.Bind, "bind", "127.0.0.1", "address to listen on")
	cmd.Flags().StringVar(&o.Advertise, "advertise", "localhost", "host that clients are told")
	return cmd
}

// serve is the embedded stand, from taking its lock to letting it go.
func (a *app) serve(ctx context.Context, home string, o standctl.UpOptions, ports []int) error {
	hold, err := standctl.TakeHold(ctx, home)
	if err != nil {
		return err
	}
	defer hold.Release()
	d, err := daemon.Start(daemon.Options{
		Data: hold.Data(), Ports: ports, Bind: o.Bind, Advertise: o.Advertise, Log: a.stderr,
	})
	if err != nil {
		return hold.Failed(err)
	}
	s, err := hold.Publish("kfake "+moduleVersion(kfakePath), o, ports)
	if err == nil {
		err = standctl.Report(a.stdout, s, nil)
	}
	if err != nil { // nobody knows of this stand, so it must not stay
		d.Close()
		return err
	}
	if out, ok := a.stdout.(io.Closer); ok {
		out.Close() // whoever has started the stand need not wait for more
	}
	d.Serve(ctx, hold.Alive)
	return nil
}
