package kafka

import (
	"errors"
	"os"

	"github.com/twmb/franz-go/pkg/kerr"

	"brew.example/internal/msg"
	"brew.example/internal/show"
	"brew.example/internal/stand"
)

// Explain adds to UNKNOWN_SERVER_ERROR where the reason stands: a broker keeps it to its
// log, a full disk for one. Other errors, and those of other clusters than the embedded
// stand, come back as they are.
func Explain(err error) error {
	if !errors.Is(err, kerr.UnknownServerError) || os.Getenv("KAFKA_BOOTSTRAP") != "" {
		return err
	}
	home, noHome := stand.Home()
	if noHome != nil {
		return err
	}
	if s, noStand := stand.Read(home); noStand != nil || s.Kind != stand.Embedded {
		return err
	}
	return msg.Errorf("%w; the stand's log tells why: %s", err, show.Text(stand.Log(home)))
}
