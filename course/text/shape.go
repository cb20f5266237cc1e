package text

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What differs from run to run is compared by its shape: a shape is replaced by a
// name between zero bytes, which no text can hold.
const (
	shapeTime     = "\x00time"
	shapeDuration = "\x00duration\x00"
	shapeUUID     = "\x00uuid\x00"
	shapeID       = "\x00id\x00"
	shapePID      = "\x00pid\x00"
	shapeHost     = "\x00host\x00"
	shapeNumber   = "\x00number\x00"
)

var (
	clockTime = regexp.MustCompile(`\b(\d{4}-\d{2}-\d{2}[T ])?` +
		`([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d{2}:\d{2})?\b`)
	uuid = regexp.MustCompile(`\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})\b`)
	// A host is an address without a port, or with one that the kernel gave to a client.
	host     = regexp.MustCompile(`/?(?:\b(?:\d{1,3}\.){3}\d{1,3}|\[::1\])(:\d+)?\b`)
	pid      = regexp.MustCompile(`(?i)\b(pid[ =:]+)\d+\b`)
	duration = regexp.MustCompile(`(?:\d+(?:\.\d+)?(?:ns|µs|μs|us|ms|s|m|h))+|` +
		`\d+(?:\.\d+)? (?:ns|µs|μs|us|ms|s|мкс|мс|с)`)
	idLike = regexp.MustCompile(`[A-Za-z0-9_-]+(?:==)?`)
)

// firstEphemeral is the first port that a kernel hands out to clients by itself.
const firstEphemeral = 32768

// shaped replaces all shapes of a line.
func shaped(line string) string {
	line = clockTime.ReplaceAllStringFunc(line, timeShape)
	line = uuid.ReplaceAllString(line, shapeUUID)
	line = host.ReplaceAllStringFunc(line, func(s string) string {
		if i := strings.LastIndex(s, ":"); i > 0 && !strings.HasSuffix(s, "]") {
			if port, err := strconv.Atoi(s[i+1:]); err == nil && port < firstEphemeral {
				return s
			}
		}
		return shapeHost
	})
	line = pid.ReplaceAllString(line, "${1}"+shapePID)
	line = replaceWords(duration, line, shapeDuration)
	return idLike.ReplaceAllStringFunc(line, func(s string) string {
		if isBase64ID(s) {
			return shapeID
		}
		return s
	})
}

// timeShape keeps whether a time has a date, a fraction and a zone.
func timeShape(s string) string {
	m := clockTime.FindStringSubmatch(s)
	name := shapeTime
	if m[1] != "" {
		name += "+date"
	}
	if m[3] != "" {
		name += "+fraction"
	}
	if m[4] != "" {
		name += "+zone"
	}
	return name + "\x00"
}

// replaceWords replaces the matches that are words of their own: no letter, digit,
// dot, underscore or hyphen right before, no letter or digit right behind.
func replaceWords(re *regexp.Regexp, line, by string) string {
	var b strings.Builder
	end := 0
	for _, m := range re.FindAllStringIndex(line, -1) {
		if isWord(lastRune(line[:m[0]])) || isWord(firstRune(line[m[1]:])) ||
			strings.HasSuffix(line[:m[0]], ".") || strings.HasSuffix(line[:m[0]], "-") {
			continue
		}
		b.WriteString(line[end:m[0]])
		b.WriteString(by)
		end = m[1]
	}
	return b.String() + line[end:]
}

// isBase64ID knows Kafka's ids of clusters and topics: 16 bytes in base64. One
// without both cases is a word; it comes by chance once in a hundred thousand.
func isBase64ID(s string) bool {
	s = strings.TrimSuffix(s, "==")
	return len(s) == 22 && strings.ToLower(s) != s && strings.ToUpper(s) != s
}

// cells splits a line of a table at two or more spaces.
func cells(line string) []string {
	return gap.Split(strings.TrimRight(line, " "), -1)
}

var (
	gap      = regexp.MustCompile(` {2,}`)
	headCell = regexp.MustCompile(`^#?[A-Z][A-Z0-9_.-]*(?:\([A-Z]+\))?$`)
)

// tableHead gives the columns if line is the head of a table: two or more names in
// upper case, two or more spaces apart.
func tableHead(line string) []string {
	names := cells(line)
	if len(names) < 2 {
		return nil
	}
	for _, name := range names {
		if !headCell.MatchString(name) {
			return nil
		}
	}
	return names
}

var (
	digits  = regexp.MustCompile(`\d+`)
	letters = regexp.MustCompile(`\pL+`)
	// wordNumber is a word and its number.
	wordNumber = regexp.MustCompile(`\pL+ \d+\b`)
	number     = regexp.MustCompile(`\d+(?:,\d{3})*(?:\.\d+)?`)
)

// vary gives the shape of a cell whose value changes from run to run.
func vary(cell string) string {
	return letters.ReplaceAllString(digits.ReplaceAllString(cell, "0"), "a")
}

// canonical is a line with all that may differ taken out; rates are the numbers that
// need only be about the same.
type canonical struct {
	text  string
	rates []float64
}

func (c canonical) equal(d canonical) bool {
	if c.text != d.text || len(c.rates) != len(d.rates) {
		return false
	}
	for i, r := range c.rates {
		s := d.rates[i]
		if r != s && (r > 2*s || s > 2*r) {
			return false
		}
	}
	return true
}

// canonical takes apart one line. head is the table's that the line may be a row of;
// loose means that its columns may have other widths.
func (a attributes) canonical(line string, head []string, loose bool) canonical {
	var c canonical
	row := cells(line)
	if len(head) > 0 && len(row) == len(head) {
		for i, name := range head {
			row[i] = c.cell(a, name, row[i])
		}
		if loose || len(c.rates) > 0 {
			line = strings.Join(row, "  ")
		} else {
			line = rejoin(line, row)
		}
	} else {
		if name, ok := lineName(row); ok {
			line = row[0] + "  " + c.cell(a, name, row[1])
		}
		line = a.numbered(c.pairs(a, line))
	}
	c.text = shaped(line)
	return c
}

// lineName gives the name of a line that is a name and a value: "TOTAL  10", or as Kafka's
// tools have it, "LeaderId:  2".
func lineName(row []string) (name string, ok bool) {
	if len(row) != 2 {
		return "", false
	}
	name, colon := strings.CutSuffix(row[0], ":")
	if colon {
		name = strings.ToUpper(name)
	}
	return name, headCell.MatchString(name)
}

// numbered takes the number out of "Broker 2" for vary=BROKER.
func (a attributes) numbered(line string) string {
	return wordNumber.ReplaceAllStringFunc(line, func(s string) string {
		word, _, _ := strings.Cut(s, " ")
		if slices.Contains(a.vary, strings.ToUpper(word)) {
			return word + " 0"
		}
		return s
	})
}

// rejoin puts changed cells back between the gaps of their line.
func rejoin(line string, row []string) string {
	var b strings.Builder
	gaps := gap.FindAllString(strings.TrimRight(line, " "), -1)
	for i, cell := range row {
		b.WriteString(cell)
		if i < len(gaps) {
			b.WriteString(gaps[i])
		}
	}
	return b.String() + line[len(strings.TrimRight(line, " ")):]
}

// cell gives the canonical form of a cell in the column called name.
func (c *canonical) cell(a attributes, name, value string) string {
	switch {
	case slices.Contains(a.vary, name):
		return vary(value)
	case slices.Contains(a.about, name):
		return c.rate(value)
	case name == "PID" && digits.FindString(value) == value:
		return shapePID
	case name == "HOST" && value != "-" && !strings.Contains(value, " "):
		return shapeHost
	}
	return value
}

// rate takes the first number of a value out.
func (c *canonical) rate(value string) string {
	at := number.FindStringIndex(value)
	if at == nil {
		return value
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(value[at[0]:at[1]], ",", ""), 64)
	if err != nil {
		return value
	}
	c.rates = append(c.rates, n)
	return value[:at[0]] + shapeNumber + value[at[1]:]
}

var pair = regexp.MustCompile(`([A-Za-z][A-Za-z0-9_-]*)=([^\s]+)`)

// pairs treats name=value in a line like the column NAME.
func (c *canonical) pairs(a attributes, line string) string {
	if len(a.vary) == 0 && len(a.about) == 0 {
		return line
	}
	return pair.ReplaceAllStringFunc(line, func(s string) string {
		name, value, _ := strings.Cut(s, "=")
		return name + "=" + c.cell(a, strings.ToUpper(name), value)
	})
}

// changesWidth tells whether a cell is of a shape that has no fixed width, so that
// the columns behind it move.
func (a attributes) changesWidth(head, row []string) bool {
	for i, name := range head {
		if slices.Contains(a.vary, name) || slices.Contains(a.about, name) ||
			name == "PID" || name == "HOST" {
			return true
		}
		if s := shaped(row[i]); s != row[i] && !strings.HasPrefix(s, shapeTime) {
			return true
		}
	}
	return false
}
