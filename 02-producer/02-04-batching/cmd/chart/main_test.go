package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"brew.example/02-producer/02-04-batching/results"
	"brew.example/internal/cli"
)

func runs(wanted uint) (runs []results.Run) {
	for i, s := range []results.Setting{
		{Linger: "0s", Codec: "none", Payload: "json", Send: "async"},
		{Linger: "50ms", Codec: "none", Payload: "json", Send: "async"},
		{Linger: "0s", Codec: "zstd", Payload: "json", Send: "async"},
		{Linger: "50ms", Codec: "zstd", Payload: "json", Send: "async"},
	} {
		for repeat := range 3 {
			runs = append(runs, results.Run{
				Setting: s, Repeat: repeat, RateWanted: wanted, Rate: float64(1000 * (i + repeat + 1)),
				P50: float64(i + 1), Machine: "machine: cores=2 <&>",
			})
		}
	}
	return runs
}

// draw runs the program and returns the text in its picture.
func draw(t *testing.T, wanted uint, write func(io.Writer, []results.Run) error) string {
	t.Helper()
	var in, out bytes.Buffer
	if err := write(&in, runs(wanted)); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "x.svg")
	if err := run(config{in: "-", out: file}, &in, &out); err != nil {
		t.Fatal(err)
	}
	if want := file + ": 4 settings, 12 runs\n"; out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
	svg, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer svg.Close()
	var text strings.Builder
	for dec := xml.NewDecoder(svg); ; {
		token, err := dec.Token()
		if err == io.EOF {
			return text.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		if chars, ok := token.(xml.CharData); ok {
			text.Write(chars)
		}
	}
}

func TestPicture(t *testing.T) {
	for label, wanted := range map[string]uint{"RATE, records/s": 0, "P50, ms": 1000} {
		for _, write := range []func(io.Writer, []results.Run) error{
			results.WriteCSV, results.WriteJSON,
		} {
			text := draw(t, wanted, write)
			for _, part := range []string{
				label, "LINGER 0s", "LINGER 50ms", "none", "zstd", "machine: cores=2 <&>",
			} {
				if !strings.Contains(text, part) {
					t.Errorf("the picture lacks %q:\n%s", part, text)
				}
			}
		}
	}
}

func TestWrongInput(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "x.svg")
	for name, test := range map[string]struct {
		cfg         config
		stdin, want string
	}{
		"no file":   {config{in: filepath.Join(dir, "none.csv"), out: out}, "", "none.csv"},
		"nothing":   {config{in: "-", out: out}, "", "-o csv"},
		"no runs":   {config{in: "-", out: out}, "[]", "there is no run in it"},
		"a picture": {config{in: "-", out: out}, "<svg/>", "-o csv"},
	} {
		err := run(test.cfg, strings.NewReader(test.stdin), io.Discard)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, test.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: there is a picture", name)
		}
	}
}

func TestPictureThatCannotBeWritten(t *testing.T) {
	var in bytes.Buffer
	if err := results.WriteJSON(&in, runs(0)); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "none", "x.svg")
	err := run(config{in: "-", out: out}, &in, io.Discard)
	if err == nil || !strings.Contains(err.Error(), out) {
		t.Errorf("error %v", err)
	}
}

func TestWrongFlagValue(t *testing.T) {
	for _, name := range []string{"x.png", "", "svg"} {
		if err := (&config{out: name}).check(); !errors.As(err, new(cli.UsageError)) {
			t.Errorf("--out=%s: error %v", name, err)
		}
	}
}
