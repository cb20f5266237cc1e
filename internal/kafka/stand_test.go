package kafka

import (
	"testing"
	"time"

	"brew.example/internal/stand"
)

func TestOnEmbeddedStand(t *testing.T) {
	for _, tt := range []struct {
		kind, bootstrap string
		want            bool
	}{
		{stand.Embedded, "", true}, {stand.Java, "", false}, {stand.Docker, "", false},
		{"", "", false}, {stand.Embedded, "a:1", false},
	} {
		home := t.TempDir()
		t.Setenv("COURSE_HOME", home)
		t.Setenv("KAFKA_BOOTSTRAP", tt.bootstrap)
		if tt.kind != "" {
			if err := stand.Write(home, stand.State{
				Version: stand.FormatVersion, Kind: tt.kind, Software: "x", Started: time.Now(),
				Bootstrap: []string{"a:1", "a:2", "a:3"}, Ports: []int{1, 2, 3},
			}); err != nil {
				t.Fatal(err)
			}
		}
		if got := OnEmbeddedStand(); got != tt.want {
			t.Errorf("stand %q, KAFKA_BOOTSTRAP=%q: %t", tt.kind, tt.bootstrap, got)
		}
	}
}
