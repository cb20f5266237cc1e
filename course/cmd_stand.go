package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"brew.example/course/standctl"
	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/show"
	"brew.example/internal/stand"
	"brew.example/internal/table"
)

// control returns the stand of the home that the environment names.
func (a *app) control() (*standctl.Control, error) {
	return standctl.New(func(line string) { fmt.Fprintln(a.stderr, line) })
}

func newUpCommand(a *app) *cobra.Command {
	var o standctl.UpOptions
	cmd := &cobra.Command{
		Use:   "up",
		Short: msg.Text("start the stand, three Kafka brokers on this machine, unless it is up"),
		Example: strings.Join([]string{
			"  course up",
			"  COURSE_PORT=20092 course up",
			"  COURSE_STAND=java course up",
			"  course up --bind 0.0.0.0 --advertise 192.168.1.20",
		}, "\n"),
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.Check(); err != nil {
				return err
			}
			ctl, err := a.control()
			if err != nil {
				return err
			}
			s, started, err := ctl.Up(cmd.Context(), o)
			if err != nil {
				return err
			}
			if !o.Local() {
				msg.Fprintf(a.stderr, "warning: the stand listens on %s without a password: "+
					"whoever reaches this machine can read and delete what is in it\n", o.Bind)
			}
			addrs := strings.Join(s.Bootstrap, ", ")
			if !started {
				msg.Fprintf(a.stdout, "The stand is up already: %s\n", addrs)
				return nil
			}
			msg.Fprintf(a.stdout, "The stand is up: %s. "+
				"`make down` stops it and keeps the data.\n", addrs)
			return nil
		},
	}
	cmd.Flags().StringVar(&o.Bind, "bind", "", msg.Text("address to listen on, "+
		"when other machines shall reach the stand (default 127.0.0.1)"))
	cmd.Flags().StringVar(&o.Advertise, "advertise", "",
		msg.Text("host by which clients reach the stand (default localhost)"))
	return cmd
}

func newDownCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "down",
		Short: msg.Text("stop the stand and keep its data"),
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctl, err := a.control()
			if err != nil {
				return err
			}
			stopped, err := ctl.Down(cmd.Context())
			switch {
			case err != nil:
				return err
			case stopped:
				msg.Fprintf(a.stdout, "The stand is down, its data is kept.\n")
			default:
				msg.Fprintf(a.stdout, "No stand is up: nothing to stop.\n")
			}
			return nil
		},
	}
}

func newStatusCommand(a *app) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use: "status",
		Short: msg.Text("tell what runs: brokers, memory, records, groups; " +
			"status 1 if no stand is up"),
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if format != "text" && format != "json" {
				return cli.Usagef("flag --output cannot be %s: text or json", show.Text(format))
			}
			ctl, err := a.control()
			if err != nil {
				return err
			}
			s, up, note, err := ctl.Status(cmd.Context())
			if err != nil {
				return err
			}
			if format == "json" {
				err = statusJSON(a.stdout, ctl.Home(), s, up)
			} else {
				err = statusText(a.stdout, ctl.Home(), s, up, note)
			}
			switch {
			case err != nil:
				return err
			case !up:
				return exitError(1)
			}
			return standctl.Serving(s.Brokers)
		},
	}
	cmd.Flags().StringVarP(&format, "output", "o", "text", msg.Text("text or json"))
	return cmd
}

func statusText(w io.Writer, home string, s standctl.Status, up bool, note string) error {
	if !up {
		if note == "" {
			note = msg.Text("start one with `make up`")
		}
		msg.Fprintf(w, "No stand is up: %s.\n", note)
		_, err := fmt.Fprintf(w, "home=%s\n", show.Text(home))
		return err
	}
	msg.Fprintf(w, "The stand is up: %s, %s.\n", s.Kind, show.Text(s.Software))
	if err := statusBrokers(w, s); err != nil {
		return err
	}
	records, groups := "-", "-"
	if s.Answers {
		records, groups = fmt.Sprint(s.Records), fmt.Sprint(s.Groups)
	}
	_, err := fmt.Fprintf(w, "pid=%s uptime=%s memory=%s records=%s groups=%s data=%s\nhome=%s\n",
		cmp.Or(s.PIDText(), "-"), time.Since(s.Started).Round(time.Second), bytesText(s.Memory),
		records, groups, bytesText(uint64(s.Data)), show.Text(home))
	return err
}

// statusBrokers prints the brokers, and how each one is if they are processes of their own.
func statusBrokers(w io.Writer, s standctl.Status) error {
	if s.Kind != stand.Embedded {
		return writeBrokers(w, s.Brokers)
	}
	rows := make([][]string, len(s.Bootstrap))
	for i, addr := range s.Bootstrap {
		rows[i] = []string{fmt.Sprint(i), addr}
	}
	return table.Write(w, []string{"BROKER", "ADDRESS"}, rows)
}

// bytesText writes a number of bytes for people, in one word.
func bytesText(n uint64) string {
	const unit = 1024
	if n < unit {
		return fmt.Sprintf("%dB", n)
	}
	value, units := float64(n)/unit, "KMGT"
	for value >= unit && len(units) > 1 {
		value, units = value/unit, units[1:]
	}
	return fmt.Sprintf("%.1f%ciB", value, units[0])
}

// statusReport is the form of `course status -o json`; what does not apply is null.
type statusReport struct {
	Version  int      `json:"version"`
	Kind     string   `json:"kind"`
	Up       bool     `json:"up"`
	Home     string   `json:"home"`
	Stand    *string  `json:"stand"`
	Software *string  `json:"software"`
	Brokers  []broker `json:"brokers"`
	PIDs     []int    `json:"pids"`
	Started  *string  `json:"started"`
	Memory   *uint64  `json:"memory_bytes"`
	Records  *int64   `json:"records"`
	Groups   *int     `json:"groups"`
	Data     *int64   `json:"data_bytes"`
}

type broker struct {
	Node    int    `json:"node"`
	Address string `json:"address"`
	State   string `json:"state"`
}

func statusJSON(w io.Writer, home string, s standctl.Status, up bool) error {
	r := statusReport{Version: 1, Kind: "stand.status", Up: up, Home: home}
	r.Brokers, r.PIDs = []broker{}, []int{}
	if up {
		started := s.Started.Format(time.RFC3339Nano)
		r.Stand, r.Software, r.Started = &s.Kind, &s.Software, &started
		r.Memory, r.Data = &s.Memory, &s.Data
		if s.Answers {
			r.Records, r.Groups = &s.Records, &s.Groups
		}
		for _, b := range s.Brokers {
			state := string(b.Status)
			r.Brokers = append(r.Brokers, broker{Node: b.Node, Address: b.Address, State: state})
		}
		r.PIDs = append(r.PIDs, s.PIDs()...)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

func newWipeCommand(a *app) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "wipe",
		Short: msg.Text("stop the stand and delete its data and logs"),
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !yes && !a.mayAsk() {
				return cli.Usagef("this deletes all data of the stand, " +
					"and there is no terminal to ask on; add -y to do it")
			}
			ctl, err := a.control()
			if err != nil {
				return err
			}
			if err := ctl.Idle(cmd.Context()); err != nil {
				return err
			}
			if !yes {
				question := msg.Sprintf("Delete all topics, records and offsets "+
					"of every kind of stand in %s?",
					show.Text(ctl.Home()))
				if err := a.confirm(cmd.Context(), question); err != nil {
					return err
				}
			}
			wiped, err := ctl.Wipe(cmd.Context())
			if err != nil {
				return err
			}
			if wiped.Something {
				msg.Fprintf(a.stdout, "The stand is down and its data is deleted.\n")
			} else {
				msg.Fprintf(a.stdout, "No stand has left anything in %s: nothing to delete.\n",
					show.Text(ctl.Home()))
			}
			if len(wiped.Foreign) > 0 {
				msg.Fprintf(a.stderr, "left alone in %s, since they are not the stand's: %s\n",
					show.Text(ctl.Home()), shown(wiped.Foreign))
			}
			return nil
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, msg.Text("do not ask"))
	return cmd
}
