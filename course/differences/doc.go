// Package differences holds what the embedded stand does otherwise than Apache Kafka. It
// is made of tests alone: they ask both stands the same questions and compare the answers
// with a table, and the table with the ones in README.md and README.ru.md.
package differences
