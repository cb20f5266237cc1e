module brew.example/02-producer

go 1.26.0
