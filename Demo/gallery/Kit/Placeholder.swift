// The first file comes with the first type.
