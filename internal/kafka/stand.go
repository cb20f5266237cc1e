package kafka

import (
	"os"

	"brew.example/internal/stand"
)

// OnEmbeddedStand says whether NewClient connects to the embedded stand, for programs whose
// subject it does not have: it is one process and copies no record.
func OnEmbeddedStand() bool {
	home, err := stand.Home()
	if err != nil || os.Getenv("KAFKA_BOOTSTRAP") != "" {
		return false
	}
	s, err := stand.Read(home)
	return err == nil && s.Kind == stand.Embedded
}
