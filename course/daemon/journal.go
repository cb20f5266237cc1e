package daemon

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"os"
)

// journals are the files that kfake appends to for each commit and each producer id.
var journals = []string{"groups.log", "pids.log"}

// isJournal says whether it is by a line of this format that kfake tells of an entry
// that it could not append to a journal.
func isJournal(format string) bool {
	switch format {
	case "persist group entry open: %v", "persist group entry write: %v",
		"persist pid entry open: %v", "persist pid entry write: %v":
		return true
	}
	return false
}

// mend cuts off what a full disk has left of the last entry of a journal. kfake passes
// over such a stump when it starts, but then appends behind it, and would find nothing of
// that at the next start.
func mend(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	whole, err := wholeEntries(bufio.NewReader(f))
	if err != nil {
		return err
	}
	return f.Truncate(whole)
}

// wholeEntries returns the length of the whole entries at the start of a journal. An
// entry is its length in four bytes, little-endian, a checksum in four, and as many
// bytes as the length says.
func wholeEntries(r io.Reader) (int64, error) {
	var whole int64
	for {
		var head [8]byte
		n, err := io.ReadFull(r, head[:])
		if err == nil {
			var rest int64
			size := int64(binary.LittleEndian.Uint32(head[:4]))
			rest, err = io.CopyN(io.Discard, r, size)
			n += int(rest)
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return whole, nil
		}
		if err != nil {
			return 0, err
		}
		whole += int64(n)
	}
}
