//go:build unix

package main

import (
	"testing"

	"brew.example/internal/kafkatest"
)

func TestTopicAlterInRussian(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 3)
	for _, row := range []struct {
		partitions string
		status     int
		stdout     string
		stderr     string
	}{
		{"4", 0, "у топика brew.orders.v1 теперь партиций: 4", ""},
		{"4", 0, "у топика brew.orders.v1 уже партиций: 4, менять нечего", ""},
		{"3", 1, "", "ошибка: в топике brew.orders.v1 партиций: 4, уменьшить до 3 нельзя: " +
			"создай другой топик и скопируй записи в него"},
		{"0", 2, "", "ошибка: флаг --partitions: скажи, сколько партиций должно стать у топика, " +
			"1 или больше"},
	} {
		asLearner(t, "ru", "topic", "alter", orders, "--partitions", row.partitions).
			want(t, row.status, row.stdout, row.stderr)
	}
}
