package brokers

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/show"
	"brew.example/internal/stand"
)

// Settings are what docker-compose.yml says about the brokers.
type Settings struct {
	// Version is the tag of the brokers' image.
	Version string `json:"version"`
	// ClusterID is the id that data folders are made with.
	ClusterID string `json:"cluster_id"`
	// JVM holds options of the Java machine.
	JVM []string `json:"jvm"`
	// Nodes holds, for each broker in the order of their ids, its variables KAFKA_*.
	Nodes []map[string]string `json:"nodes"`
}

// Local names the variables of docker-compose.yml that do not apply to processes on
// this machine: all that says where something is. The rest holds for both.
var Local = []string{
	"KAFKA_LISTENERS", "KAFKA_ADVERTISED_LISTENERS", "KAFKA_CONTROLLER_QUORUM_*",
	"KAFKA_LOG_DIRS",
}

// image names the variables that the image's start script reads; they are no settings
// of a broker.
var image = []string{
	"KAFKA_VERSION", "KAFKA_HEAP_OPTS", "KAFKA_LOG4J_OPTS", "KAFKA_OPTS", "KAFKA_JMX_OPTS",
	"KAFKA_JVM_PERFORMANCE_OPTS", "KAFKA_GC_LOG_OPTS", "KAFKA_LOG4J_ROOT_LOGLEVEL",
	"KAFKA_LOG4J_LOGGERS", "KAFKA_TOOLS_LOG4J_LOGLEVEL",
}

func named(list []string, variable string) bool {
	return slices.ContainsFunc(list, func(name string) bool {
		prefix, any := strings.CutSuffix(name, "*")
		return name == variable || any && strings.HasPrefix(variable, prefix)
	})
}

// property returns the name of the setting that a variable stands for, as the image's
// start script makes it.
func property(variable string) string {
	name := strings.ToLower(strings.TrimPrefix(variable, "KAFKA_"))
	name = strings.ReplaceAll(name, "_", ".")
	name = strings.ReplaceAll(name, "...", "-")
	return strings.ReplaceAll(name, "..", "_")
}

// Ports of a node, counted from the broker's own.
const (
	// controllerOffset is where the controllers talk to each other.
	controllerOffset = 10
	// internalOffset is where the brokers do; in Docker containers go there, too.
	internalOffset = 20
)

// AllPorts returns every port that the Java processes of a stand listen on.
func AllPorts(first int) []int {
	var ports []int
	for _, port := range nodePorts(first) {
		ports = append(ports, stand.Ports(port)...)
	}
	return ports
}

// nodePorts returns the ports that a node listens on, by the broker's own.
func nodePorts(port int) []int {
	return []int{port, port + controllerOffset, port + internalOffset}
}

// Properties returns the settings of one node that keeps its data in dir.
func (s Settings) Properties(node int, o Options, dir string) map[string]string {
	p := map[string]string{}
	for name, value := range s.Nodes[node] {
		if !named(Local, name) && !named(image, name) {
			p[property(name)] = value
		}
	}
	var voters []string
	for i := range stand.Brokers {
		voters = append(voters, fmt.Sprintf("%d@%s:%d", i, loopback, o.First+controllerOffset+i))
	}
	port := o.First + node
	p["listeners"] = fmt.Sprintf("HOST://%s,INTERNAL://%s:%d,CONTROLLER://%s:%d",
		bootstrap(o.Bind, []int{port})[0],
		loopback, port+internalOffset, loopback, port+controllerOffset)
	p["advertised.listeners"] = fmt.Sprintf("HOST://%s,INTERNAL://%s:%d",
		bootstrap(o.Advertise, []int{port})[0], loopback, port+internalOffset)
	p["controller.quorum.voters"] = strings.Join(voters, ",")
	p["log.dirs"] = dir
	return p
}

// CheckHome refuses a home whose path Java, Kafka or Maven take for another one: they would
// write into a foreign folder.
func (j Java) CheckHome() error {
	bad := ""
	for _, c := range []struct{ part, text string }{
		{",", msg.Text("a comma, at which a path ends for Kafka")},
		{":", msg.Text("a colon, at which a path ends for Java")},
		{`\`, msg.Text("a backslash, which Maven takes for a slash")},
		{"${", msg.Text("${, which Maven replaces")},
	} {
		if bad == "" && strings.Contains(j.Home, c.part) {
			bad = c.text
		}
	}
	for i, r := range j.Home {
		_, size := utf8.DecodeRuneInString(j.Home[i:])
		if bad == "" && (r > 0xFFFF || r == utf8.RuneError && size == 1) {
			bad = msg.Sprintf("%s, and Java finds no classes below it", show.Text(j.Home[i:i+size]))
		}
	}
	if bad == "" {
		return nil
	}
	return cli.Usagef("%s cannot hold the java stand: in its path there is %s; set COURSE_HOME "+
		"to a path without that", show.Text(j.Home), bad)
}

// escaper writes the ASCII of a value so that Java's Properties read the same.
var escaper = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

// encode writes settings as a properties file.
func encode(p map[string]string) []byte {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(p)) {
		value := escaper.Replace(p[name])
		if strings.HasPrefix(value, " ") {
			value = `\` + value // else it is taken for the space around the equals sign
		}
		b.WriteString(name + "=")
		for _, r := range value {
			if r < utf8.RuneSelf {
				b.WriteRune(r)
				continue
			}
			for _, unit := range utf16.Encode([]rune{r}) { // Kafka reads the file as Latin-1
				fmt.Fprintf(&b, `\u%04X`, unit)
			}
		}
		b.WriteByte('\n')
	}
	return []byte(b.String())
}
