import ImageLoading

/// A chunk of a WebP file, padded to an even length.
func webPChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let padding: [UInt8] = content.count % 2 == 0 ? [] : [0]
    return Array(name.utf8) + littleEndian(content.count, 4) + content + padding
}

/// A WebP file of chunks.
func webPFile(_ chunks: [UInt8]) -> [UInt8] {
    webPChunk("RIFF", Array("WEBP".utf8) + chunks)
}

/// An animation of one frame: a still picture at a place on a canvas.
func webPAnimation(
    _ still: [UInt8], of size: PixelSize, on canvas: PixelSize, x: Int = 0, y: Int = 0
) -> [UInt8] {
    let frame =
        littleEndian(x / 2, 3) + littleEndian(y / 2, 3) + littleEndian(size.width - 1, 3)
        + littleEndian(size.height - 1, 3) + [100, 0, 0, 0] + webPImageData(still)
    return webPFile(
        webPCanvas(canvas, flags: 0x12) + webPChunk("ANIM", [0, 0, 0, 0, 0, 0])
            + webPChunk("ANMF", frame))
}

/// The chunk that says how large the canvas is.
func webPCanvas(_ size: PixelSize, flags: UInt8) -> [UInt8] {
    webPChunk(
        "VP8X",
        [flags, 0, 0, 0] + littleEndian(size.width - 1, 3) + littleEndian(size.height - 1, 3))
}

/// The chunks of a still file that make its picture.
func webPImageData(_ still: [UInt8]) -> [UInt8] {
    let isExtended = still[12..<16].elementsEqual("VP8X".utf8)
    return Array(still[(isExtended ? 30 : 12)...])
}

private func littleEndian(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}
