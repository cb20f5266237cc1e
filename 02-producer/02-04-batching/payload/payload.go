// Package payload makes the values that the bench writes. They are the same in every run.
package payload

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
)

// Kinds lists what Values can make.
var Kinds = []string{"json", "hex", "random", "zeros"}

// Values returns n values of size bytes:
//
//	json    orders as Brew writes them: the same field names again and again
//	hex     random bytes in hexadecimal, so four random bits in each byte
//	random  random bytes, which nothing can compress: pictures, encrypted or zipped data
//	zeros   what a bench should not be made with
func Values(kind string, n, size int) [][]byte {
	rnd := rand.New(rand.NewPCG(1, 2))
	values := make([][]byte, n)
	for i := range values {
		switch kind {
		case "json":
			values[i] = order(rnd, i, size)
		case "hex":
			values[i] = []byte(hex.EncodeToString(random(rnd, size/2+1))[:size])
		case "random":
			values[i] = random(rnd, size)
		default:
			values[i] = make([]byte, size)
		}
	}
	return values
}

func random(rnd *rand.Rand, size int) []byte {
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(rnd.Uint32())
	}
	return b
}

var drinks = []string{"espresso", "flat-white", "cortado", "filter", "mocha", "chai-latte"}

// order returns an order with as many items as fit. It is cut off at size.
func order(rnd *rand.Rand, n, size int) []byte {
	b := fmt.Appendf(nil, `{"type":"OrderPlaced","order_id":"order-%d","guest_id":"guest-%d",`+
		`"shop":"brew-%d","placed_at":%d,"items":[`, n, rnd.IntN(100_000), rnd.IntN(300),
		1_700_000_000_000+rnd.Int64N(1e10))
	for len(b) < size {
		b = fmt.Appendf(b, `{"drink":"%s","quantity":%d,"price_cents":%d,"note":"%08x"},`,
			drinks[rnd.IntN(len(drinks))], 1+rnd.IntN(4), 250+10*rnd.IntN(40), rnd.Uint32())
	}
	return b[:size]
}
