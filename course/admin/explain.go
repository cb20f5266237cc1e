package admin

import (
	"errors"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/stand"
)

// The official tools that do what the commands do.
const (
	ToolGroups  = "kafka-consumer-groups.sh"
	ToolTopics  = "kafka-topics.sh"
	ToolOffsets = "kafka-get-offsets.sh"
)

// Official is a command line of an official tool, without the part that says where the
// cluster is.
type Official struct {
	Tool string
	Args []string
}

// Explain prints the official command lines, ready to be pasted into a POSIX shell.
// Nothing is run, and no broker need be up.
func Explain(w io.Writer, commands []Official) error {
	bootstrap, err := bootstrap()
	if err != nil {
		return err
	}
	connection := []string{"--bootstrap-server", strings.Join(bootstrap, ",")}
	if os.Getenv("KAFKA_TLS") == "1" || os.Getenv("KAFKA_SASL_MECHANISM") != "" {
		// The official tools take TLS and passwords from a file only.
		connection = append(connection, "--command-config", "client.properties")
	}
	for _, c := range commands {
		words := append([]string{c.Tool}, connection...)
		for i, word := range append(words, c.Args...) {
			if i > 0 {
				io.WriteString(w, " ")
			}
			io.WriteString(w, Quote(word))
		}
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
	}
	return nil
}

// bootstrap returns the addresses that a client would use. Without a stand that is
// where one would be.
func bootstrap() ([]string, error) {
	cl, err := kafka.NewClient() // it does not connect
	if err == nil {
		defer cl.Close()
		addrs, _ := cl.OptValue(kgo.SeedBrokers).([]string)
		return addrs, nil
	}
	if _, usage := errors.AsType[cli.UsageError](err); usage {
		return nil, err
	}
	port, err := stand.Port()
	if err != nil {
		return nil, cli.UsageError{Err: err}
	}
	return []string{address("localhost", int32(port))}, nil
}

// harmless are words that a POSIX shell leaves as they are.
var harmless = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// Quote writes a word so that a POSIX shell reads exactly this word. What a terminal
// would not show as it is comes as octal escapes for printf.
func Quote(word string) string {
	if harmless.MatchString(word) {
		return word
	}
	if !printable(word) {
		// A shell drops newlines at the end of what a command prints.
		body := strings.TrimRight(word, "\n")
		quoted := `"$(printf '` + octal(body) + `')"`
		if end := word[len(body):]; end != "" {
			quoted += "'" + end + "'"
		}
		return quoted
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
