package runner

import "testing"

func TestBinName(t *testing.T) {
	for rel, want := range map[string]string{
		"01-foundations/01-06-first-consumer/cmd/consumer": "01-06-first-consumer-consumer",
		"03-consumer/03-05-lab/cmd/api":                    "03-05-lab-api",
		"course/cmd/text":                                  "course-text",
		"course":                                           "course",
	} {
		if got := binName(rel); got != want {
			t.Errorf("%s: %s, want %s", rel, got, want)
		}
	}
}
