package kafka

import (
	"errors"
	"fmt"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"

	"brew.example/internal/stand"
)

func TestExplain(t *testing.T) {
	home := t.TempDir()
	t.Setenv("COURSE_HOME", home)
	t.Setenv("KAFKA_BOOTSTRAP", "")
	failed := fmt.Errorf("order-1: %w", kerr.UnknownServerError)
	check := func(what string, err error, want string) {
		t.Helper()
		if got := Explain(err); !errors.Is(got, err) || got.Error() != want {
			t.Errorf("%s: %v, want %s", what, got, want)
		}
	}
	check("no stand", failed, failed.Error())
	s := stand.State{Kind: stand.Embedded, Bootstrap: []string{"a:1"}, Ports: []int{1, 2, 3}}
	if err := stand.Write(home, s); err != nil {
		t.Fatal(err)
	}
	check("embedded", failed, failed.Error()+"; the stand's log tells why: "+stand.Log(home))
	check("another error", kerr.MessageTooLarge, kerr.MessageTooLarge.Error())
	s.Kind = stand.Java
	if err := stand.Write(home, s); err != nil {
		t.Fatal(err)
	}
	check("java", failed, failed.Error())
	s.Kind = stand.Embedded
	if err := stand.Write(home, s); err != nil {
		t.Fatal(err)
	}
	t.Setenv("KAFKA_BOOTSTRAP", "localhost:9092")
	check("another cluster", failed, failed.Error())
}
