import ImageLoading

/// How many rows of half blocks a picture takes.
func blockRows(of size: PixelSize) -> Int { (size.height + 1) / 2 }
