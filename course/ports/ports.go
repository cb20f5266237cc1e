// Package ports tells whether the ports that a stand wants are free, and who has them.
package ports

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"

	psnet "github.com/shirou/gopsutil/v4/net"
	"github.com/shirou/gopsutil/v4/process"

	"brew.example/internal/msg"
	"brew.example/internal/show"
)

// Probe says which of the ports is taken, before anything is started.
func Probe(bind string, ports []int) error {
	for _, port := range ports {
		if err := free(bind, port); err != nil {
			return err
		}
	}
	return nil
}

func free(bind string, port int) error {
	hosts := []string{bind}
	if ip := net.ParseIP(bind); ip != nil && ip.IsLoopback() {
		// Clients try ::1 first for "localhost": a stranger there would be taken for
		// the stand, although 127.0.0.1 is free.
		hosts = append(hosts, "::1")
	}
	for i, host := range hosts {
		ln, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
		switch {
		case err == nil:
			ln.Close()
		case errors.Is(err, syscall.EADDRINUSE):
			return taken(port)
		case i == 0:
			return msg.Errorf("cannot listen on %s, port %d: "+
				"%w", show.Text(host), port, reasonNet(err))
		}
	}
	return nil
}

func taken(port int) error {
	return msg.Errorf("port %d is taken%s: stop what holds it, or set COURSE_PORT to the first "+
		"of three free ports (a real Kafka takes the three that are 10 and 20 above as well)",
		port, holder(port))
}

// holder tells which process listens on a port, as far as the operating system tells us.
func holder(port int) string {
	conns, err := psnet.Connections("tcp")
	if err != nil {
		return ""
	}
	for _, c := range conns {
		if c.Status != "LISTEN" || c.Laddr.Port != uint32(port) || c.Pid == 0 {
			continue
		}
		name := "?"
		if p, err := process.NewProcess(c.Pid); err == nil {
			if n, err := p.Name(); err == nil {
				name = n
			}
		}
		return fmt.Sprintf(" (%s, pid %d)", show.Text(name), c.Pid)
	}
	return ""
}

// reasonNet strips what an error of package net says about the address.
func reasonNet(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}
