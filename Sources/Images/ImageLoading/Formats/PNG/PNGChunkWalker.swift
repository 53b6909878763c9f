import LullLibC

/// The head of a chunk of a PNG: its name and the place of its content.
struct PNGChunk {
    let name: String
    let content: Range<Int>

    /// Reads the head of a chunk, after which its content begins.
    init(_ window: inout FileWindow) throws(PictureError.Reason) {
        let head = try window.bytes(8)
        name = String(decoding: head[4...], as: UTF8.self)
        content = window.position..<window.position + head[..<4].bigEndian
    }
}

/// A search for a PNG's chunks of colour space and orientation, without reading the pixels.
enum PNGChunkWalker {
    /// The maximum number of chunks; files have a dozen before their pixels, and fewer after them.
    private static let maxChunks = 100
    /// The maximum number of places after the pixels that are tried as the start of the metadata.
    private static let maxPlaces = 16
    /// The number of bytes at the end of a file that are searched after its pixels.
    private static let tailLength = (1 << 16) + 1024

    private static let exif = Array("eXIf".utf8)
    private static let end = Array("IEND".utf8)

    /// Finds the EXIF metadata and the colour space.
    ///
    /// After the pixels, metadata is found only in the last 65 KB of the file: to follow the chunks
    /// there would take a read for each 8 KB of the file.
    static func notes(of file: PictureFile) -> (exif: Range<Int>?, colors: ColorProfile) {
        var notes: Range<Int>?
        var colors = PNGColors()
        var window = FileWindow(of: file)
        window.skip(33)
        for _ in 0..<maxChunks {
            guard let chunk = try? PNGChunk(&window), chunk.name != "IEND" else { break }
            let content = chunk.content
            if chunk.name == "IDAT" {
                return (notes ?? exif(behind: content.upperBound + 4, of: file), colors.colors)
            }
            if chunk.name == "eXIf", notes == nil { notes = content }
            colors.read(chunk, of: file)
            window.skip(content.count + 4)
        }
        return (notes, colors.colors)
    }

    private static func exif(behind pixels: Int, of file: PictureFile) -> Range<Int>? {
        let start = max(pixels, file.byteCount - tailLength)
        let count = file.byteCount - start
        guard count > 0, let tail = try? file.bytes(at: start, count: count) else {
            return nil
        }
        var found: Range<Int>?
        if start == pixels {
            found = exif(inChain: tail, from: 0)
        } else {
            // The search begins somewhere in the pixels. They may hold the name of a chunk by
            // chance, but hardly a chain of chunks up to the end.
            var from = 4
            for _ in 0..<maxPlaces where found == nil {
                guard let place = place(of: exif, in: tail, from: from) else { break }
                found = exif(inChain: tail, from: place - 4)
                from = place + 1
            }
        }
        return found.map { start + $0.lowerBound..<start + $0.upperBound }
    }

    /// Returns the range of the metadata if chunk follows chunk up to the one that ends a PNG.
    private static func exif(inChain bytes: [UInt8], from start: Int) -> Range<Int>? {
        var index = start
        var found: Range<Int>?
        for _ in 0..<maxChunks where index + 8 <= bytes.count {
            let type = bytes[index + 4..<index + 8]
            if type.elementsEqual(end) { return found }
            let next = index + 12 + bytes[index..<index + 4].bigEndian
            if found == nil, type.elementsEqual(exif) { found = index + 8..<next - 4 }
            index = next
        }
        return nil
    }

    /// Returns the index of the name, from `from` on; a plain loop takes several times as long.
    private static func place(of name: [UInt8], in bytes: [UInt8], from: Int) -> Int? {
        unsafe bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return nil }
            var from = from
            while from + name.count <= bytes.count,
                let found = unsafe memchr(start + from, Int32(name[0]), bytes.count - from)
            {
                from = unsafe start.distance(to: UnsafeRawPointer(found))
                if from + name.count <= bytes.count, unsafe memcmp(found, name, name.count) == 0 {
                    return from
                }
                from += 1
            }
            return nil
        }
    }
}
