package ru

import (
	"maps"

	"brew.example/internal/msg"
)

func init() {
	msg.Add(customPartitioner)
	maps.Copy(russian, customPartitioner) // what the test looks through
}

var customPartitioner = map[string]string{
	"topic to write to": "в какой топик писать",
	"whose partition must not depend on who is reachable: all, premium or none": "чья партиция " +
		"не должна зависеть от того, кто доступен: all - всех, premium - премиальных, none - ничья",
	"percent of the orders that are premium": "какой процент заказов премиальный",
	"another seed draws other orders":        "с другим seed выпадут другие заказы",
	"print who leads partition 0, and end":   "напечатать лидера партиции 0 и закончить",
	"flag --premium-pct cannot be %d: 0 to 100": "флаг --premium-pct не может быть %d: нужно от " +
		"0 до 100",
	"flag --consistent cannot be %s: all, premium or none": "флаг --consistent не может быть %s: " +
		"нужно all, premium или none",
	"topic %s does not exist: `make tiers-create RF=1` makes it": "топика %s нет: его создаёт " +
		"`make tiers-create RF=1`",
	"topic %s has one partition: the premium orders need one of their own, and the others a " +
		"second": "у топика %s одна партиция: премиальным заказам нужна своя, остальным - вторая",
	"waiting: %d orders without an answer\n":           "ждём: заказов без ответа %d\n",
	"premium orders outside of partition 0: %d (%s)\n": "премиальных вне партиции 0: %d (%s)\n",
	"other orders in partition 0: %d (%s)\n":           "остальных в партиции 0: %d (%s)\n",
	"other orders, fullest partition minus emptiest: %d (%s)\n": "остальные, самая полная " +
		"партиция минус самая пустая: %d (%s)\n",
	"the rule for premium orders is broken": "правило для премиальных заказов нарушено",
}
