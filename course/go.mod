module brew.example/course

go 1.26.0

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/spf13/pflag v1.1.0 // indirect
)

replace brew.example/internal => ../internal

require (
	brew.example/internal v0.0.0-00010101000000-000000000000
	github.com/spf13/cobra v1.10.2
)
