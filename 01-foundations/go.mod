module brew.example/01-foundations

go 1.26.0
