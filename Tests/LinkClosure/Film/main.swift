import Film
