package main

import (
	"strings"
	"testing"
)

// The same table in each run. That Kafka's own client and librdkafka agree with it is checked
// with them (course/foreign, `make test-kafka`).
func TestTable(t *testing.T) {
	var out strings.Builder
	if err := run(usual, &out); err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"KEY                                 OF-3  OF-4  OF-6  LIBRDKAFKA-OF-3",
		"user-1                              2     0     2     2",
		"User-1                              1     3     1     0",
		`"user-1 "                           0     1     3     0`,
		"user-01                             1     0     4     2",
		"caf\u00e9-1                              2     3     5     2",
		"cafe\u0301-1                             1     1     1     1",
		"1                                   0     3     3     2",
		`"\x00\x00\x00\x00\x00\x00\x00\x01"  0     0     0     0`,
		"<empty>                             0     1     3     -", "",
	}, "\n")
	if out.String() != want {
		t.Errorf("printed\n%s, want\n%s", &out, want)
	}
}
