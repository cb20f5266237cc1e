module brew.example/03-consumer

go 1.26.0
