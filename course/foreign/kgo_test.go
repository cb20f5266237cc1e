//go:build unix

package foreign

import (
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// verdict is a line of `go test -v` about a test that is no part of another one.
var verdict = regexp.MustCompile(`(?m)^--- (PASS|SKIP|FAIL): (\w+)`)

// The tests that franz-go has for its client, on which all programs of the course rest.
// They wait more than they work, so more of them at once than there are cores take less
// time.
func TestKgo(t *testing.T) {
	needKafka(t)
	t.Parallel()
	const records, atOnce = 50_000, 12
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}",
		"github.com/twmb/franz-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	suite := filepath.Join(shared, "kgo.test")
	if err := build("test", "-c", "-o", suite, "github.com/twmb/franz-go/pkg/kgo"); err != nil {
		t.Fatal(err)
	}
	p := newPlace(t)
	// TestShareGroupETL releases records, and waits for ever for one that is released as often
	// as the default limit allows: it is never delivered again. franz-go's own CI sets this,
	// too (https://github.com/twmb/franz-go/pull/1402).
	p.setBrokers("group.share.delivery.count.limit", "10")
	cmd := exec.Command(suite, "-test.v", "-test.timeout=5m", fmt.Sprint("-test.parallel=", atOnce))
	cmd.Dir = filepath.Join(strings.TrimSpace(string(out)), "pkg", "kgo")
	cmd.Env = environ("KGO_SEEDS="+p.bootstrap(), "KGO_TEST_RF=3", "KGO_LOG_LEVEL=none",
		fmt.Sprint("KGO_TEST_RECORDS=", records))
	began := time.Now()
	said, err := cmd.CombinedOutput()
	tests := map[string][]string{}
	for _, m := range verdict.FindAllStringSubmatch(string(said), -1) {
		tests[m[1]] = append(tests[m[1]], m[2])
	}
	t.Logf("%d tests pass in %s", len(tests["PASS"]), time.Since(began).Round(time.Second))
	if err != nil || len(tests["FAIL"]) > 0 {
		t.Fatalf("%v; failed: %v\n%s", err, tests["FAIL"], tail(string(said), 200))
	}
	// The stand has no passwords; all else is run.
	skipped := slices.Sorted(slices.Values(tests["SKIP"]))
	want := []string{"TestOAuthAuth", "TestSCRAMAuth", "TestSCRAMAuthBadCredentials"}
	if !slices.Equal(skipped, want) {
		t.Errorf("left out: %v, want %v", skipped, want)
	}
	for _, name := range []string{"TestGroupETL", "TestTxnEtl", "TestShareGroupETL"} {
		if !slices.Contains(tests["PASS"], name) {
			t.Errorf("%s was not run; %v", name, slices.Collect(maps.Keys(tests)))
		}
	}
}
