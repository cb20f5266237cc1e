module brew.example/internal

go 1.26.0
