package payload

import (
	"bytes"
	"encoding/json"
	"regexp"
	"testing"
)

// Values are the same in every run and no two alike, but for zeros; and as long as asked.
func TestValues(t *testing.T) {
	for _, kind := range Kinds {
		for _, size := range []int{0, 1, 7, 1024} {
			values, again := Values(kind, 50, size), Values(kind, 50, size)
			seen := map[string]bool{}
			for i, v := range values {
				if len(v) != size || !bytes.Equal(v, again[i]) {
					t.Fatalf("%s, %d bytes: %q, then %q", kind, size, v, again[i])
				}
				seen[string(v)] = true
			}
			if alike := len(seen) < len(values); size == 1024 && alike != (kind == "zeros") {
				t.Errorf("%s: %d different values of %d", kind, len(seen), len(values))
			}
		}
	}
}

func TestWhatIsInThem(t *testing.T) {
	if v := Values("hex", 1, 1023)[0]; !regexp.MustCompile(`^[0-9a-f]+$`).Match(v) {
		t.Errorf("hex: %q", v)
	}
	order := Values("json", 8, 4096)[7]
	cut := order[:bytes.LastIndexByte(order, ',')]
	var got struct {
		Type  string `json:"type"`
		ID    string `json:"order_id"`
		Items []struct {
			Drink    string `json:"drink"`
			Quantity int    `json:"quantity"`
		} `json:"items"`
	}
	cut = cut[:bytes.LastIndexByte(cut, '}')+1]
	if err := json.Unmarshal(append(cut, "]}"...), &got); err != nil {
		t.Fatalf("%v: %s", err, order)
	}
	if got.Type != "OrderPlaced" || got.ID != "order-7" || len(got.Items) < 30 ||
		got.Items[0].Drink == "" || got.Items[0].Quantity < 1 {
		t.Errorf("order %+v", got)
	}
}
