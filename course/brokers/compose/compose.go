// Package compose reads what docker-compose.yml says about the brokers. It is apart from
// what runs them since reading such a file takes a large library.
package compose

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"

	"brew.example/course/brokers"
	"brew.example/internal/msg"
	"brew.example/internal/stand"
)

// File is the name of the file in the course's root.
const File = "docker-compose.yml"

// clusterID is the variable that the image formats a data folder with.
const clusterID = "CLUSTER_ID"

// Load reads the file. No variable of this process has a say in it, and no .env file:
// each placeholder has its default.
func Load(ctx context.Context, path string) (*types.Project, error) {
	o, err := cli.NewProjectOptions([]string{path}, cli.WithWorkingDirectory(filepath.Dir(path)))
	if err != nil {
		return nil, err
	}
	p, err := o.LoadProject(ctx)
	if err != nil {
		return nil, msg.Errorf("%s cannot be read: %w", path, err)
	}
	return p, nil
}

// Read returns what the file says about the brokers.
func Read(ctx context.Context, path string) (brokers.Settings, error) {
	var s brokers.Settings
	p, err := Load(ctx, path)
	if err != nil {
		return s, err
	}
	for node := range stand.Brokers {
		name := brokers.Service(node)
		service, ok := p.Services[name]
		if !ok {
			return s, msg.Errorf("%s has no service %s", path, name)
		}
		settings := map[string]string{}
		for key, value := range service.Environment {
			if value != nil && strings.HasPrefix(key, "KAFKA_") {
				settings[key] = *value
			}
		}
		s.Nodes = append(s.Nodes, settings)
		if node > 0 {
			continue // a test holds the others to the same version, id and options
		}
		_, s.Version, _ = strings.Cut(service.Image, ":")
		if id := service.Environment[clusterID]; id != nil {
			s.ClusterID = *id
		}
		for _, key := range []string{"KAFKA_HEAP_OPTS", "KAFKA_JVM_PERFORMANCE_OPTS"} {
			s.JVM = append(s.JVM, strings.Fields(settings[key])...)
		}
	}
	return s, nil
}
