package text

import "testing"

func TestTranslates(t *testing.T) {
	t.Parallel()
	c := &catalogue{}
	for en, ru := range map[string]string{
		"error: %s\n":                       "ошибка: %s\n",
		"topic %s is missing (%w)":          "нет топика %s (%w)",
		"killed %s\n":                       "%s убит\n",
		"the group is empty":                "группа пуста",
		"Usage: %s\n\nFlags:\n":             "Запуск: %s\n\nФлаги:\n",
		"read: %d of %d (%d%%)\n":           "прочитано: %d из %d (%d%%)\n",
		"one line\nand another":             "две строки одной",
		"%s":                                "%s!",
		"topic to read":                     "топик, который читать",
		"up: %s; `make down` stops it\n":    "поднят: %s; остановит `make down`\n",
		"verbs in another order: %s for %d": "другой порядок: %d для %s",
	} {
		c.add(en, ru)
	}
	for _, same := range [][2]string{
		{"127.0.0.1:19092", "127.0.0.1:19092"},
		{"took 5s", "took 7s"},
		{"error: the group is empty", "ошибка: группа пуста"},
		{"error: topic x is missing (the group is empty)", "ошибка: нет топика x (группа пуста)"},
		{"killed consumer-1", "consumer-1 убит"},
		{"error: killed consumer-1", "ошибка: consumer-1 убит"},
		{"Usage: consumer", "Запуск: consumer"},
		{"Flags:", "Флаги:"},
		{"read: 3 of 10 (30%)", "прочитано: 3 из 10 (30%)"},
		{`  --topic string   topic to read (default "a")`,
			`  --topic string   топик, который читать (default "a")`},
		{"[1] up: x; `make down` stops it", "[1] поднят: x; остановит `make down`"},
	} {
		if !c.translates(same[0], same[1]) {
			t.Errorf("%q is not taken for %q", same[1], same[0])
		}
	}
	for _, other := range [][2]string{
		{"error: the group is empty", "ошибка: группа полна"},
		{"killed consumer-1", "consumer-2 убит"},
		{"topic x is missing (y)", "нет топика y (y)"},
		{"read: 3 of 10 (30%)", "прочитано: 3 из 11 (30%)"},
		{"one line", "две строки одной"},
		{"x", "x!"},
		{"verbs in another order: a for 1", "другой порядок: 1 для a"},
	} {
		if c.translates(other[0], other[1]) {
			t.Errorf("%q is taken for %q", other[1], other[0])
		}
	}
}
