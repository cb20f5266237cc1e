package msg

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	if os.Getenv("BREW_TEST_CHILD") == "" {
		os.Exit(m.Run())
	}
	Add(map[string]string{"%d orders: %w\n": "заказов %d: %w\n", "hello": "привет"})
	err := Errorf("%d orders: %w\n", 1234, fs.ErrNotExist)
	Fprintf(os.Stdout, "%s|%s|%s|%t|", Lang(), Text("hello"), Text("no such text"),
		errors.Is(err, fs.ErrNotExist))
	os.Stdout.WriteString(Sprintf("%d of %s", 12345, "us") + "|" + err.Error())
	if err := Err(); err != nil {
		os.Stderr.WriteString(err.Error())
	}
	os.Exit(0)
}

func TestChoose(t *testing.T) {
	for _, tt := range []struct {
		course, all, messages, lang string // COURSE_LANG, LC_ALL, LC_MESSAGES, LANG
		want                        string
		bad                         bool
	}{
		{want: English},
		{course: "en", all: "ru_RU.UTF-8", want: English},
		{course: "ru", all: "en_US.UTF-8", want: Russian},
		{course: "RU", all: "ru_RU", want: English, bad: true},
		{course: "de", want: English, bad: true},
		{course: "ru_RU.UTF-8", want: English, bad: true},
		{course: "ru ", want: English, bad: true},
		{all: "ru_RU.UTF-8", messages: "en_US", lang: "en_US", want: Russian},
		{all: "en_US.UTF-8", messages: "ru_RU", lang: "ru_RU", want: English},
		{all: "C", lang: "ru_RU.UTF-8", want: English},
		{messages: "ru_RU.UTF-8", lang: "en_US.UTF-8", want: Russian},
		{messages: "POSIX", lang: "ru_RU.UTF-8", want: English},
		{lang: "ru_RU.UTF-8", want: Russian},
		{lang: "ru", want: Russian},
		{lang: "ru.UTF-8", want: Russian},
		{lang: "run_RU", want: English}, // Rundi
		{lang: "de_DE.UTF-8", want: English},
	} {
		env := map[string]string{"COURSE_LANG": tt.course, "LC_ALL": tt.all,
			"LC_MESSAGES": tt.messages, "LANG": tt.lang}
		got, err := Choose(func(name string) string { return env[name] })
		if got != tt.want || (err != nil) != tt.bad {
			t.Errorf("%+v: %s, %v", tt, got, err)
		}
		if err != nil && (!strings.Contains(err.Error(), "COURSE_LANG=") ||
			!strings.Contains(err.Error(), "en or ru")) {
			t.Errorf("%+v: %v", tt, err)
		}
	}
}

func TestAdd(t *testing.T) {
	before := len(russian)
	defer func() {
		delete(russian, "test: same")
		if recover() == nil {
			t.Error("two translations of one text were taken")
		}
		if len(russian) != before {
			t.Errorf("%d texts, before %d", len(russian), before)
		}
	}()
	Add(nil)
	Add(map[string]string{"test: same": "то же"})
	Add(map[string]string{"test: same": "то же"}) // two modules may agree
	Add(map[string]string{"test: same": "другое"})
}

// TestLanguages runs a process in each language: the language is read once in it.
func TestLanguages(t *testing.T) {
	missing := fs.ErrNotExist.Error()
	for lang, want := range map[string]string{
		"en": "en|hello|no such text|true|12345 of us|1234 orders: " +
			missing + "\n",
		"ru": "ru|привет|no such text|true|12345 of us|заказов 1234: " +
			missing + "\n",
		"xx": "en|hello|no such text|true|12345 of us|1234 orders: " +
			missing + "\n",
	} {
		var stderr strings.Builder
		cmd := exec.Command(os.Args[0])
		// A program built with -race waits for a second at its end unless told otherwise.
		cmd.Env = append(os.Environ(), "BREW_TEST_CHILD=1", "COURSE_LANG="+lang,
			"GORACE=atexit_sleep_ms=0")
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil || string(out) != want {
			t.Errorf("%s: %v\n%q, want\n%q", lang, err, out, want)
		}
		if bad := strings.Contains(stderr.String(), `COURSE_LANG="xx"`); bad != (lang == "xx") {
			t.Errorf("%s: Err said %q", lang, &stderr)
		}
	}
}
