module brew.example/course

go 1.26.0
